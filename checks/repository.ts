import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** A file of the repository: its path from the root, with forward slashes, and its text. */
export type SourceFile = { readonly path: string; readonly text: string };

/** One broken rule, shown as `path:line rule`. */
export type Finding = { readonly path: string; readonly line: number; readonly rule: string };

const BINARY = /\.(png|jpe?g|gif|webp|ico|woff2?|zip|pdf)$/;

/** Every text file that is, or is about to be, committed. */
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

/** The 1-based line of a character offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

/** Source that the compiler reads: not a sample document, not generated. */
export function isTypeScript(path: string): boolean {
  return path.endsWith(".ts") && !path.includes("/generated/");
}

/** Tests and what only tests use: a `test` folder, `*.test.ts`, the harness, the bench. */
export function isTestCode(path: string): boolean {
  return /\.test\.ts$|(^|\/)test\/|^packages\/(testing|bench)\/|^checks\//.test(path);
}
