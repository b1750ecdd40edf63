// Checks that the previous release keeps working during the rollout of a new one: runs its tests, with its code and Prisma
// client, on the schema that the current migrations create. `node checks/previous-release.ts REF [arguments of vitest …]`
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("..", import.meta.url).pathname;

/** Tests that compare the migrations with the schema.prisma beside them: here the two come from different releases. */
const aboutTheFolder = ["packages/db/src/migrations.test.ts", "packages/db/src/migration-lint.test.ts"];

/** The migration that divides the audit log by month. */
const byMonth = "20261129063300_audit_entries_by_month";
const dropsMonths =
  "the worker of this release drops months of the audit log; that of an earlier one would delete other entries";
const ownBackup =
  "`kb backup` refuses a database that is newer than itself, which these tests cannot see; no release copies another's";

/** Tests of a release without months of the audit log that are left out, and why it runs well beside this one. */
const changedByMonths: Readonly<Record<string, string>> = { "packages/core/src/retention/sweep.test.ts": dropsMonths };

/** Other tests that are left out, and why that release runs well beside this one. */
const changedByMigrations: Readonly<Record<string, string>> = {
  "apps/kb/test/backup.test.ts": ownBackup,
  "apps/kb/test/backup-bucket.test.ts": ownBackup,
  "apps/kb/test/backup-crafted.test.ts": ownBackup,
  "apps/kb/test/backup-drill.test.ts": ownBackup,
};
/** Titles of tests of a release without months that expect the plan of a table without partitions, where the months are empty. */
const aboutPlans = "has an index for each filter, however long it is";

function run(cwd: string, command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd, stdio: "inherit" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status ?? error?.message}`);
}

/** Package manager of that release, with its version. */
function packageManagerOf(folder: string): string {
  const { packageManager }: { packageManager: string } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return packageManager;
}

function testPreviousRelease(ref: string, options: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), "kb-previous-"));
  run(root, "git", ["worktree", "add", "--detach", "--force", folder, ref]);
  try {
    const hasMonths = existsSync(join(folder, "prisma/migrations", byMonth));
    rmSync(join(folder, "prisma/migrations"), { recursive: true });
    cpSync(join(root, "prisma/migrations"), join(folder, "prisma/migrations"), { recursive: true });
    run(folder, "npx", ["--yes", packageManagerOf(folder), "install", "--frozen-lockfile", "--prefer-offline"]);
    const changed = hasMonths ? changedByMigrations : { ...changedByMonths, ...changedByMigrations };
    const leftOut = [...aboutTheFolder, ...Object.keys(changed)];
    for (const path of leftOut) rmSync(join(folder, path), { force: true });
    console.log(`the tests of ${ref} on the present schema, without ${leftOut.join(", ")}`);
    run(folder, "node_modules/.bin/node", [
      "node_modules/vitest/vitest.mjs",
      "run",
      ...(hasMonths ? [] : ["--testNamePattern", `^(?!.*${aboutPlans})`]),
      ...options,
    ]);
  } finally {
    run(root, "git", ["worktree", "remove", "--force", folder]);
  }
}

const [ref, ...options] = process.argv.slice(2);
if (ref === undefined) {
  console.error("usage: node checks/previous-release.ts REF [arguments of vitest …]");
  process.exitCode = 2;
} else testPreviousRelease(ref, options);
