import { randomUUID } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "./database.ts";
import { prismaDirectory, readMigrations, writeMigration } from "./migration-files.ts";
import { MigrationError } from "./migration-status.ts";
import { migrate, migrationStatus, textFacts } from "./migrations.ts";
import { schemaDrift } from "./schema-drift.ts";
import { sql } from "./sql.ts";
import { testCluster } from "./testing/index.ts";

describe("migrations", () => {
  let clusterUrl: string;
  const names: string[] = [];
  let directory: string;
  let all: string[];

  beforeAll(async () => {
    ({ url: clusterUrl } = await testCluster());
    all = (await readMigrations()).map(({ name }) => name);
    directory = mkdtempSync(join(tmpdir(), "kb-prisma-"));
    cpSync(prismaDirectory, directory, { recursive: true });
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true });
    for (const name of names) await onCluster(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  });

  const newUrl = (): string => {
    const name = `migrations_${randomUUID()}`;
    names.push(name);
    const url = new URL(clusterUrl);
    url.pathname = `/${name}`;
    return url.href;
  };

  const onCluster = (statement: string): Promise<unknown[]> => rowsOf(clusterUrl, statement);

  const rowsOf = async (url: string, statement: string): Promise<unknown[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(statement);
    await client.end();
    return rows;
  };

  it("create a database that orders text by code point and knows capitals, whatever the locale of the server", async () => {
    const url = newUrl();
    await migrate(url);
    const [row] = await rowsOf(url, "SELECT 'Z' < 'a' AS ordered, lower('Ä') = 'ä' AS lowered");
    expect(row).toEqual({ ordered: true, lowered: true });
    const { present, ...facts } = await textFacts(url);
    expect(facts).toEqual({ encoding: "UTF8", knowsCapitals: true, sortedBy: present });
  });

  it("say that a database cannot store all text, and leave it empty", async () => {
    const url = newUrl();
    const name = new URL(url).pathname.slice(1);
    await onCluster(`CREATE DATABASE "${name}" TEMPLATE template0 ENCODING 'WIN1251' LOCALE_PROVIDER libc LOCALE 'C'`);
    await expect(migrate(url)).rejects.toThrow(
      new MigrationError(
        "the database stores text as WIN1251: create one with ENCODING 'UTF8' TEMPLATE template0, and name it in DATABASE_URL",
      ),
    );
    expect(await textFacts(url)).toMatchObject({ encoding: "WIN1251" });
    expect(await rowsOf(url, "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual([]);
  });

  it("create a missing database, apply once, and record themselves as Prisma's own command does", async () => {
    const url = newUrl();
    expect(await migrationStatus(url)).toMatchObject({ applied: [], pending: all });
    const messages: string[] = [];
    expect(await migrate(url, { onProgress: (message) => messages.push(message) })).toEqual({ applied: all });
    expect(messages[0]).toContain("creating the database");
    expect(await migrate(url)).toEqual({ applied: [] });
    expect(await migrationStatus(url)).toEqual({ applied: all, pending: [], failed: [], edited: [], unknown: [] });
    const database = connect({ url });
    const rows = await database.rows<{ name: string }>(sql`
      SELECT migration_name AS name FROM _prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL AND applied_steps_count = 1 ORDER BY started_at`);
    await database.close();
    expect(rows.map(({ name }) => name)).toEqual(all);
  });

  it("are applied by one of several concurrent processes, and the others find nothing to do", async () => {
    const url = newUrl();
    const outcomes = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(outcomes.flatMap(({ applied }) => applied)).toEqual(all);
  });

  it("agree with the schema", async () => {
    expect(await schemaDrift(clusterUrl)).toBe("");
    expect(await onCluster("SELECT datname FROM pg_database WHERE datname LIKE 'kb_shadow%'")).toEqual([]);
  });

  it("that differ from the schema are reported with the missing SQL", async () => {
    const path = join(directory, "schema.prisma");
    const schema = readFileSync(path, "utf8");
    writeFileSync(path, schema.replace("model Team {", "model Team {\n  motto String?"));
    expect(await schemaDrift(clusterUrl, directory)).toContain('ALTER TABLE "teams" ADD COLUMN     "motto" TEXT');
    const name = await writeMigration("Team's motto", await schemaDrift(clusterUrl, directory), directory);
    expect(name).toMatch(/^\d{14}_team_s_motto$/);
    expect(await schemaDrift(clusterUrl, directory)).toBe("");
    const url = newUrl();
    await migrate(url);
    expect(await migrate(url, { directory })).toEqual({ applied: [name] });
    await expect(migrate(url)).rejects.toThrow(/newer than this program: it has migration \d+_team_s_motto/);
    expect(await migrationStatus(url)).toMatchObject({ unknown: [name] });
    writeFileSync(path, schema);
    rmSync(join(directory, "migrations", name), { recursive: true });
  });

  it("edited after they were applied are refused", async () => {
    const url = newUrl();
    await migrate(url);
    const path = join(directory, "migrations", all[0] ?? "", "migration.sql");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, `${text}-- edited\n`);
    await expect(migrate(url, { directory })).rejects.toThrow(MigrationError);
    await expect(migrate(url, { directory })).rejects.toThrow(`${all[0]} was applied with a text that differs`);
    writeFileSync(path, text);
  });

  it("that fail are rolled back and named, and prevent the next start until someone repairs them", async () => {
    const url = newUrl();
    const script = `CREATE FUNCTION half() RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN 'a;b'; END $$;
      CREATE TABLE half_made (id int); SELECT nothing;`;
    const name = await writeMigration("broken", script, directory);
    await expect(migrate(url, { directory })).rejects.toThrow(
      `migration ${name} failed: column "nothing" does not exist`,
    );
    const database = connect({ url });
    expect(await database.rows(sql`SELECT to_regclass('half_made') AS made`)).toEqual([{ made: null }]);
    await database.close();
    expect(await migrationStatus(url, directory)).toMatchObject({ applied: all, failed: [name] });
    await expect(migrate(url, { directory })).rejects.toThrow(`migration ${name} failed earlier`);
    rmSync(join(directory, "migrations", name), { recursive: true });
  });

  it("restrict a grant to exactly one of group and user", async () => {
    const url = newUrl();
    await migrate(url);
    const database = connect({ url });
    const both = sql`INSERT INTO tag_grants ("teamId", id, "tagId") SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid()`;
    await expect(database.execute(both)).rejects.toMatchObject({ code: "23514", constraint: "tag_grants_one_grantee" });
    await database.close();
  });
});
