import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "@kb/db";
import { CommandError } from "../failure.ts";

/** Returns the path of the secret if the environment has none. */
export const secretPath = (dataDir: string): string => join(dataDir, "app.secret");

/**
 * Returns the secret of the data folder; creates it at the first start, readable only by its owner.
 * @throws {CommandError} `data_dir_unusable`
 */
export function keptSecret(dataDir: string): string {
  const path = secretPath(dataDir);
  try {
    makeFolder(dataDir);
    return readSecret(path) ?? createSecret(path);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const message = `Cannot store the secret ${path} (${cause}). Set KB_DATA_DIR to a writable folder, or set APP_SECRET.`;
    throw new CommandError("data_dir_unusable", message, { cause: error });
  }
}

/** Returns the secret of the data folder; null if there is none yet. */
export const existingSecret = (dataDir: string): string | null => readSecret(secretPath(dataDir));

function readSecret(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

// A link creates the complete file or fails, so two processes that start at once use the secret of the first.
function createSecret(path: string): string {
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
