import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "../failure.ts";

/** Where the secret is kept when the environment has none. */
export const secretPath = (dataDir: string): string => join(dataDir, "app.secret");

/**
 * The secret of the installation from its data folder; made at the first start, readable by the owner alone.
 * @throws {CommandError} `data_dir_unusable`
 */
export function keptSecret(dataDir: string): string {
  const path = secretPath(dataDir);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return readSecret(path) ?? makeSecret(path);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const message = `The secret ${path} cannot be kept (${cause}). Set KB_DATA_DIR to a folder that can be written, or APP_SECRET.`;
    throw new CommandError("data_dir_unusable", message, { cause: error });
  }
}

/** The secret that a start would take from the data folder; null where it would make one. */
export const existingSecret = (dataDir: string): string | null => readSecret(secretPath(dataDir));

function readSecret(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

// A link makes the whole file appear or fails: of two that start at once, both use the secret of the first.
function makeSecret(path: string): string {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, "utf8").trim();
}
