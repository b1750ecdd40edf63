import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { z } from "zod";
import { type MigrationFile, prismaDirectory, readMigrations } from "./migration-files.ts";

/** Nobody had a database before the first release: up to this one, migrations lock no table that anybody waits for. */
export const baseline = "20261121999999";

/** What squawk finds, and where: `message` says why it matters, `help` what to write instead. */
export type LintFinding = {
  readonly migration: string;
  readonly line: number;
  readonly rule: string;
  readonly message: string;
};

const Report = z.array(
  z.object({
    file: z.string(),
    line: z.number(),
    rule_name: z.string(),
    message: z.string(),
    help: z.string().nullish(),
  }),
);

// What the runner of migrations sees to (a limit for every lock, one transaction a migration), and what Prisma decides.
const excluded = [
  "require-lock-timeout",
  "require-statement-timeout",
  "prefer-robust-stmts",
  "prefer-text-field",
  "prefer-bigint-over-int",
  "prefer-identity",
];

/**
 * Holds migrations after the baseline to what keeps a running service running: no long lock, nothing taken away that the
 * release before still uses. `-- squawk-ignore rule` above a statement lets it pass; a comment says why.
 */
export async function lintMigrations(directory = prismaDirectory, after = baseline): Promise<LintFinding[]> {
  const migrations = (await readMigrations(directory)).filter(({ name }) => name > after);
  if (migrations.length === 0) return [];
  const found = migrations.flatMap(({ name }) => squawk(join(directory, "migrations", name, "migration.sql")));
  return [
    ...migrations.flatMap(mixed),
    ...found.map(({ file, line, rule_name: rule, message, help }) => ({
      migration: relative(join(directory, "migrations"), file).replace(/\/migration\.sql$/, ""),
      ...{ line: line + 1, rule, message: [message, ...(help ? [help] : [])].join(" ") },
    })),
  ];
}

/** What is sent together is one transaction, in which PostgreSQL refuses to build an index beside the writers. */
function mixed({ name, sql }: MigrationFile): LintFinding[] {
  if (!isConcurrent(sql) || !/;\s*\S/.test(sql.replaceAll(/--.*$/gm, ""))) return [];
  const message = "A statement with CONCURRENTLY needs a migration of its own.";
  return [{ migration: name, line: 1, rule: "concurrently-alone", message }];
}

const isConcurrent = (sql: string): boolean => /\bCONCURRENTLY\b/i.test(sql);

/** Every migration is one transaction, but for those of one concurrent statement. */
function squawk(path: string): z.output<typeof Report> {
  const program = createRequire(import.meta.url).resolve("squawk-cli/js/bin/squawk");
  const options = [
    ...["--reporter", "json", "--pg-version", "15.0", "--exclude", excluded.join(",")],
    isConcurrent(readFileSync(path, "utf8")) ? "--no-assume-in-transaction" : "--assume-in-transaction",
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...options, path], { encoding: "utf8" });
  // 0: nothing found, 1: something.
  if (status !== 0 && status !== 1) throw new Error(`squawk failed (${status}): ${stderr}`);
  return Report.parse(JSON.parse(stdout));
}
