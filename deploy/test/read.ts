import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the configurations. */
export const deploy = join(import.meta.dirname, "..");

/** Reads a file below `deploy/`. */
export const text = (path: string): string => readFileSync(join(deploy, path), "utf8");
