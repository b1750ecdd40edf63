import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
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
  return { folder, program, remove: () => rm(folder, { recursive: true }) };
}
