import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const pathOf = (dataDir: string): string => join(dataDir, "first-start.unfinished");

/** Notes, before anything is made, for whom the first start makes credentials that nobody has seen yet. */
export function markUnfinished(dataDir: string, email: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(pathOf(dataDir), `${email}\n`, { mode: 0o600 });
}

/** Whose credentials a first start that was killed never showed; null where none was. */
export function unfinishedEmail(dataDir: string): string | null {
  try {
    return readFileSync(pathOf(dataDir), "utf8").trim();
  } catch {
    return null;
  }
}

/** They were shown, or there is nobody to show them to. */
export function markFinished(dataDir: string): void {
  rmSync(pathOf(dataDir), { force: true });
}
