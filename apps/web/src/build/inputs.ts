import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryFolder } from "./paths.ts";

const sources = ["apps/web/src/{build,client,messages}/**/*.{ts,tsx,css}", "apps/web/package.json", "pnpm-lock.yaml"];

/** Returns a hash of everything that the built app is made of. */
export function hashOfInputs(): string {
  const hash = createHash("sha256");
  const files = globSync(sources, { cwd: repositoryFolder }).sort();
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(repositoryFolder, file)))
      .update("\0");
  return hash.digest("hex").slice(0, 32);
}
