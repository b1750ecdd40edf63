import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryFolder } from "./paths.ts";

const sources = [
  "apps/web/src/{build,client,messages}/**/*.{ts,tsx,css}",
  "packages/{formulas,live,markdown-codec}/src/**/*.ts",
  "apps/web/package.json",
  "pnpm-lock.yaml",
];

/** Returns the files that the built app is made of, as paths in the repository. */
export const inputFiles = (): string[] => globSync(sources, { cwd: repositoryFolder }).sort();

/** Returns a hash of everything that the built app is made of. */
export function hashOfInputs(): string {
  const hash = createHash("sha256");
  for (const file of inputFiles())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(repositoryFolder, file)))
      .update("\0");
  return hash.digest("hex").slice(0, 32);
}
