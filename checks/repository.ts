import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A file of the repository: its path from the root, with forward slashes, and its text. */
export type SourceFile = { readonly path: string; readonly text: string };

/** One broken rule, shown as `path:line rule`. */
export type Finding = { readonly path: string; readonly line: number; readonly rule: string };

const BINARY = /\.(png|jpe?g|gif|webp|ico|woff2?|zip|pdf)$/;

/** Reads every text file that is committed or about to be. */
export function repositoryFiles(root: string): SourceFile[] {
  const listing = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const paths = [...new Set(listing.split("\0"))].filter((path) => path !== "" && !BINARY.test(path));
  return paths
    .filter((path) => statSync(join(root, path), { throwIfNoEntry: false })?.isFile())
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Returns the 1-based line of a character offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** Returns true for source that the compiler reads, which excludes sample documents and generated files. */
export function isTypeScript(path: string): boolean {
  return /\.tsx?$/.test(path) && !path.includes("/generated/");
}

/** Returns true for tests and their support: a `test` folder, a `testing` folder in `src`, `*.test.ts`, `*.case.ts`, the harness, the bench. */
export function isTestCode(path: string): boolean {
  return /\.(test|case)\.tsx?$|(^|\/)test\/|\/src\/testing(\/|\.ts$)|^packages\/(testing|bench)\/|^checks\//.test(path);
}
