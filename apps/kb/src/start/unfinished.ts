import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@kb/db";

const pathOf = (dataDir: string): string => join(dataDir, "first-start.unfinished");

/** Records the admin of the first start before anything is created, because nobody has seen the credentials yet. */
export function markUnfinished(dataDir: string, email: string): void {
  makeFolder(dataDir);
  writeFileSync(pathOf(dataDir), `${email}\n`, { mode: 0o600 });
}

/** Returns the admin of a first start that was killed before it showed the credentials; null if there is none. */
export function unfinishedEmail(dataDir: string): string | null {
  try {
    return readFileSync(pathOf(dataDir), "utf8").trim();
  } catch {
    return null;
  }
}

/** Records that the credentials were shown or are not needed. */
export function markFinished(dataDir: string): void {
  rmSync(pathOf(dataDir), { force: true });
}
