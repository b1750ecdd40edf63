import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { repository } from "./dockerfile.ts";

/** What `Dockerfile.dockerignore` keeps out of images. */
const ignored = readFileSync(join(repository, "docker/Dockerfile.dockerignore"), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** Whether a path of the repository, or a folder above it, is kept out. */
export const isIgnored = (path: string): boolean => ignored.some((pattern) => matchesGlob(path, pattern));

/** The files of the build context, as `COPY . .` takes them: what is kept out is not even looked into. */
export function copyContext(target: string, folder = "."): void {
  for (const entry of readdirSync(join(repository, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (isIgnored(path)) continue;
    if (entry.isDirectory()) copyContext(target, path);
    else if (entry.isFile()) cpSync(join(repository, path), join(target, path));
  }
}
