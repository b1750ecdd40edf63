import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");

/** A program as it is deployed: one file in a folder of its own, beside the one package that is native code. */
export type Bundle = { readonly folder: string; readonly program: string; remove(): Promise<void> };

/** Bundles a program of this app, given by its path in it. */
export async function bundle(entry: string): Promise<Bundle> {
  const folder = await mkdtemp(join(tmpdir(), "kb-api-"));
  const program = join(folder, "main.js");
  await promisify(execFile)(process.execPath, ["../../build/app.ts", entry, program], { cwd: root });
  const argon2 = join("node_modules", "@node-rs", "argon2");
  await mkdir(join(folder, "node_modules", "@node-rs"), { recursive: true });
  await symlink(join(root, "..", "..", "packages", "auth", argon2), join(folder, argon2));
  return { folder, program, remove: () => rm(folder, { recursive: true }) };
}
