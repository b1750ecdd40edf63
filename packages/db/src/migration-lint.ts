import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { z } from "zod";
import { type MigrationFile, prismaDirectory, readMigrations } from "./migration-files.ts";

/** The last migration before the first release. Earlier migrations run on new databases only, so they may lock tables. */
export const baseline = "20261121999999";

/** A finding of squawk and its place; the message includes the suggested change. */
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

// Rules that the runner satisfies (a timeout for every lock, one transaction per migration) or that Prisma decides.
const excluded = [
  "require-lock-timeout",
  "require-statement-timeout",
  "prefer-robust-stmts",
  "prefer-text-field",
  "prefer-bigint-over-int",
  "prefer-identity",
];

/**
 * Finds statements after the baseline that take a long lock or remove what the previous release still uses.
 * `-- squawk-ignore rule` above a statement allows it; a comment says why.
 */
export async function lintMigrations(directory = prismaDirectory, after = baseline): Promise<LintFinding[]> {
  const migrations = (await readMigrations(directory)).filter(({ name }) => name > after);
  if (migrations.length === 0) return [];
  const pathOf = ({ name }: MigrationFile): string => join(directory, "migrations", name, "migration.sql");
  const { concurrent = [], transactional = [] } = Object.groupBy(migrations, ({ sql }) =>
    isConcurrent(sql) ? "concurrent" : "transactional",
  );
  const found = [
    ...squawk(transactional.map(pathOf), "--assume-in-transaction"),
    ...squawk(concurrent.map(pathOf), "--no-assume-in-transaction"),
  ];
  return [
    ...migrations.flatMap(findMixedStatements),
    ...found.map(({ file, line, rule_name: rule, message, help }) => ({
      migration: relative(join(directory, "migrations"), file).replace(/\/migration\.sql$/, ""),
      line: line + 1,
      rule,
      message: help ? `${message} ${help}` : message,
    })),
  ];
}

/** Finds other statements beside CONCURRENTLY: one script is one transaction, in which PostgreSQL refuses it. */
function findMixedStatements({ name, sql }: MigrationFile): LintFinding[] {
  if (!isConcurrent(sql) || !/;\s*\S/.test(sql.replaceAll(/--.*$/gm, ""))) return [];
  const message = "A statement with CONCURRENTLY needs a migration of its own.";
  return [{ migration: name, line: 1, rule: "concurrently-alone", message }];
}

const isConcurrent = (sql: string): boolean => /\bCONCURRENTLY\b/i.test(sql);

/** Runs squawk once for all files. A migration is one transaction unless its only statement is concurrent. */
function squawk(paths: readonly string[], transaction: string): z.output<typeof Report> {
  if (paths.length === 0) return [];
  const program = createRequire(import.meta.url).resolve("squawk-cli/js/bin/squawk");
  const options = ["--reporter", "json", "--pg-version", "15.0", "--exclude", excluded.join(","), transaction];
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...options, ...paths], { encoding: "utf8" });
  // 0: no findings, 1: findings.
  if (status !== 0 && status !== 1) throw new Error(`squawk failed (${status}): ${stderr}`);
  return Report.parse(JSON.parse(stdout));
}
