import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { hashOfInputs } from "../build/inputs.ts";
import { isBuilt } from "../build/is-built.ts";
import { packageFolder } from "../build/paths.ts";
import { readManifest } from "../build/read-manifest.ts";
import { builtFolder } from "./built-folder.ts";

const own = { program: join(packageFolder, "src/build/main.ts"), folder: builtFolder };
const longestBuildMs = 120_000;

/**
 * Builds the app if its sources have changed since the last build. Does nothing in a bundle, which has the built app and no
 * sources. The build is a process of its own, so that its memory is given back; several that start at once build it once. A
 * failure and a bundle without a readable manifest are reported in one line, not thrown: the service then serves the previous
 * build, or pages without script.
 * @param build the program that builds the app, and the folder that it writes
 */
export async function ensureBuilt(report: (line: string) => void, { program, folder } = own): Promise<void> {
  if (!existsSync(program)) {
    if (readManifest(folder) === undefined) report("the web app is missing or damaged, so pages have no script");
    return;
  }
  try {
    if (isBuilt(hashOfInputs(), folder)) return;
    report("building the web app");
    await promisify(execFile)(process.execPath, [program], { timeout: longestBuildMs });
  } catch (error) {
    const reason = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    report(`the web app could not be built, so pages have no script: ${reason.trim().replace(/\s+/g, " ")}`);
  }
}
