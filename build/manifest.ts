import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The dependencies of a `package.json`. */
export type Manifest = {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

/** Reads the manifest of the package in a folder. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
