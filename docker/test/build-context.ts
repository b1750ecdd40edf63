import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { repository } from "./dockerfile.ts";

/** The patterns of `Dockerfile.dockerignore`. */
const ignored = readFileSync(join(repository, "docker/Dockerfile.dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** Returns whether a path of the repository, or a parent folder, is ignored. */
export function isIgnored(path: string): boolean {
  const names = path.split("/");
  const paths = names.map((_, depth) => names.slice(0, depth + 1).join("/"));
  return paths.some((one) => ignored.some((pattern) => matchesGlob(one, pattern)));
}

/** Lists the files of the build context that `COPY . .` copies. */
export function copyContext(target: string, folder = "."): void {
  for (const entry of readdirSync(join(repository, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (isIgnored(path)) continue;
    if (entry.isDirectory()) copyContext(target, path);
    else if (entry.isFile()) cpSync(join(repository, path), join(target, path));
  }
}
