import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { hashOfInputs } from "../build/inputs.ts";
import { isBuilt } from "../build/is-built.ts";
import { packageFolder } from "../build/paths.ts";

const program = join(packageFolder, "src/build/main.ts");
const longestBuildMs = 120_000;

/**
 * Builds the app if its sources have changed since the last build. Does nothing in a bundle, which has the built app and no
 * sources. The build is a process of its own, so that its memory is given back; several that start at once build it once. A failure is reported, not thrown:
 * the service then serves the previous build, or pages without script.
 */
export async function ensureBuilt(report: (line: string) => void): Promise<void> {
  if (!existsSync(program) || isBuilt(hashOfInputs())) return;
  report("building the web app");
  try {
    await promisify(execFile)(process.execPath, [program], { timeout: longestBuildMs });
  } catch (error) {
    const reason = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    report(`the web app could not be built, so pages have no script: ${reason}`);
  }
}
