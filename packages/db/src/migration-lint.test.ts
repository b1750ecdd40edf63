import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { prismaDirectory, readMigrations } from "./migration-files.ts";
import { baseline, lintMigrations } from "./migration-lint.ts";

describe("the lint of migrations", () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "kb-lint-"));
    cpSync(prismaDirectory, directory, { recursive: true });
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  /** The rules that a migration of the next release breaks. */
  async function rulesBrokenBy(sql: string): Promise<string[]> {
    const folder = join(directory, "migrations", "20990101000000_next");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "migration.sql"), sql);
    return [...new Set((await lintMigrations(directory)).map(({ rule }) => rule))].sort();
  }

  it("finds statements that hold a long lock or remove what the previous release uses", {
    meta: { proves: ["decision.running.migrations-lint"] },
  }, async () => {
    const cases: [string, string[]][] = [
      [`CREATE INDEX "a" ON "documents" ("emoji");`, ["require-concurrent-index-creation"]],
      [`DROP INDEX "documents_pkey";`, ["require-concurrent-index-deletion"]],
      [`ALTER TABLE "documents" ADD COLUMN "mood" TEXT NOT NULL;`, ["adding-required-field"]],
      [`ALTER TABLE "documents" ALTER COLUMN "emoji" SET NOT NULL;`, ["adding-not-nullable-field"]],
      [`ALTER TABLE "documents" ALTER COLUMN "sortOrder" TYPE INTEGER;`, ["changing-column-type"]],
      [`ALTER TABLE "documents" DROP COLUMN "emoji";`, ["ban-drop-column"]],
      [`ALTER TABLE "documents" RENAME COLUMN "emoji" TO "icon";`, ["renaming-column"]],
      [`ALTER TABLE "documents" RENAME TO "pages";`, ["renaming-table"]],
      [`DROP TABLE "documents";`, ["ban-drop-table"]],
      [`ALTER TABLE "tags" ADD CONSTRAINT "t" CHECK ("name" <> '');`, ["constraint-missing-not-valid"]],
      [`CREATE INDEX CONCURRENTLY "a" ON "documents" ("emoji"); SELECT 1;`, ["concurrently-alone"]],
    ];
    for (const [sql, rules] of cases) expect(await rulesBrokenBy(sql), sql).toEqual(rules);
    const reference = `ALTER TABLE "tags" ADD CONSTRAINT "t" FOREIGN KEY ("teamId", "createdById") REFERENCES "users" ("teamId", "id");`;
    expect(await rulesBrokenBy(reference)).toEqual(["adding-foreign-key-constraint", "constraint-missing-not-valid"]);
  });

  it("allows statements that do not affect the running release, and those with an explained exception", async () => {
    for (const sql of [
      `ALTER TABLE "documents" ADD COLUMN "mood" TEXT;`,
      `ALTER TABLE "documents" ADD COLUMN "calm" BOOLEAN NOT NULL DEFAULT false;`,
      `CREATE INDEX CONCURRENTLY "a" ON "documents" ("emoji");`,
      `ALTER TABLE "tags" ADD CONSTRAINT "t" CHECK ("name" <> '') NOT VALID;`,
      `ALTER TABLE "tags" VALIDATE CONSTRAINT "t";`,
      `CREATE TABLE "new" ("id" UUID NOT NULL, "of" UUID NOT NULL, CONSTRAINT "new_pkey" PRIMARY KEY ("id"));\nCREATE INDEX "new_of" ON "new" ("of");`,
      `-- Not read since the release before this one.\n-- squawk-ignore ban-drop-column\nALTER TABLE "documents" DROP COLUMN "emoji";`,
    ]) {
      expect(await rulesBrokenBy(sql), sql).toEqual([]);
    }
  });

  it("ignores only migrations up to the first release", async () => {
    rmSync(join(directory, "migrations", "20990101000000_next"), { recursive: true, force: true });
    expect(await lintMigrations(directory)).toEqual([]);
    const all = await readMigrations();
    expect(all.filter(({ name }) => name <= baseline).length).toBeGreaterThan(0);
    expect((await lintMigrations(directory, "0")).length).toBeGreaterThan(0);
  });
});
