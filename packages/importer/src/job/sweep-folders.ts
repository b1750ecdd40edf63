import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ClaimedImport, findHeldAttempts, type Service } from "@kb/core";

/** The time for which the folder of an import stays whose worker is late with its report. */
const graceMs = 10 * 60_000;

const parentOf = (dataDir: string): string => join(dataDir, "imports");

/** Returns the folder of one attempt of an import, which no later attempt uses. */
export const folderOfImport = (dataDir: string, { id, attempts }: Pick<ClaimedImport, "id" | "attempts">): string =>
  join(parentOf(dataDir), `${id}-${attempts}`);

/**
 * Removes the folders that workers on this data folder left when they were killed; returns their number. A worker that goes on keeps
 * the folder of its attempt.
 */
export async function sweepFolders(service: Pick<Service, "database" | "clock">, dataDir: string): Promise<number> {
  const parent = parentOf(dataDir);
  const names = await readdir(parent).catch(() => []);
  const found = names.flatMap((name) => {
    const [, id, attempts] = /^([0-9a-f-]{36})(?:-(\d+))?$/.exec(name) ?? [];
    return id === undefined ? [] : [{ name, id, attempts: Number(attempts) }];
  });
  if (found.length === 0) return 0;
  const held = await findHeldAttempts(
    service,
    found.map(({ id }) => id),
    graceMs,
  );
  const left = found.filter(({ id, attempts }) => held.get(id) !== attempts);
  for (const { name } of left) await rm(join(parent, name), { recursive: true, force: true });
  return left.length;
}
