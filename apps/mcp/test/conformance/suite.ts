import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A revision whose requirements the suite has frozen. */
export type Revision = "2025-11-25" | "2026-07-28";

/** The result of a scenario: the number of passed checks, and the ids of failed ones. */
export type Outcome = { readonly passed: number; readonly failed: readonly string[] };

type Check = { readonly id: string; readonly status: string };

const program = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");

/** Runs the official suite against an endpoint: every scenario that a revision requires, or the ones that are named. */
export async function runSuite(url: URL, revision: Revision, scenario?: string): Promise<ReadonlyMap<string, Outcome>> {
  const folder = mkdtempSync(join(tmpdir(), "kb-conformance-"));
  const chosen =
    scenario === undefined ? ["--requirements", revision] : ["--scenario", scenario, "--spec-version", revision];
  try {
    await run([program, "server", "--url", url.href, ...chosen, "--output-dir", folder]);
    return outcomesIn(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Reads the recorded checks, because the suite's exit code also counts checks that are not scored. */
function run(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== "number") reject(new Error(`${error.message}\n${stdout}${stderr}`));
      else resolve();
    });
  });
}

function outcomesIn(folder: string): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (const name of readdirSync(folder)) {
    // `server-ping-2026-11-21T14-13-11-265Z`
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    const file = join(folder, name, "checks.json");
    if (scenario === undefined || !existsSync(file)) continue;
    const checks: readonly Check[] = JSON.parse(readFileSync(file, "utf8"));
    outcomes.set(scenario, {
      passed: checks.filter(({ status }) => status === "SUCCESS").length,
      failed: checks.flatMap(({ id, status }) => (status === "FAILURE" ? [id] : [])).sort(),
    });
  }
  return outcomes;
}

/** The scenarios that a server of a revision must pass, by the suite's own frozen list. */
export function scoredScenarios(revision: Revision): readonly string[] {
  const list = readFileSync(join(dirname(program), "..", "requirements", `${revision}.yaml`), "utf8");
  const server = /^server:\n((?:[ #].*\n|\n)+)/m.exec(list)?.[1] ?? "";
  return [...server.matchAll(/^ +- +([\w.-]+)/gm)].flatMap(([, name]) => name ?? []);
}
