import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What of a `package.json` says which packages are needed. */
export type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

/** The manifest of the package in a folder. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
