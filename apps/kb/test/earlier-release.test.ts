import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import { admin, invoke, operations } from "@kb/core";
import { connect, migrationStatus, sql } from "@kb/db";
import { testDatabase } from "@kb/db/testing";
import { expect, it } from "vitest";
import { serviceOf } from "../src/access.ts";
import { tableFolder } from "../src/backup/format.ts";
import { Entries } from "../src/backup/unpack.ts";
import { makeHome } from "./process.ts";

/**
 * Backup that `kb backup` of the release before raw constructs, callouts and formulas made, after its `kb import` of pages of every
 * construct of that time.
 */
const backup = fileURLToPath(new URL("./fixtures/earlier-release.backup.tar.gz", import.meta.url));

const escapes: { readonly [letter: string]: string } = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", v: "\v" };

/** Returns the bodies as that release stored them, by the ids of their documents. */
async function storedBodies(): Promise<Map<string, { content: unknown; text: string; markdown: string }>> {
  const entries = new Entries(createReadStream(backup), [], new AbortController().signal);
  for (;;) {
    const { name, bytes } = await entries.take();
    if (!name.startsWith(tableFolder("document_bodies"))) continue;
    const lines = new TextDecoder().decode(bytes).trimEnd().split("\n");
    // The text format of COPY: tabs between the columns, and a backslash before what is special.
    const rows = lines.map((line) =>
      line.split("\t").map((value) => value.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)),
    );
    return new Map(
      rows.map(([, id = "", content = "", text = "", markdown = ""]) => [
        id,
        { content: JSON.parse(content), text, markdown },
      ]),
    );
  }
}

it("a database of an earlier release is migrated, and its documents are read unchanged: JSON, text and Markdown", {
  timeout: 240_000,
}, async () => {
  const { url, database, drop } = await testDatabase();
  const home = await makeHome({ DATABASE_URL: url });
  try {
    await database.execute(sql`DROP SCHEMA public CASCADE`);
    await database.execute(sql`CREATE SCHEMA public`);
    expect(await home.json(["restore", backup])).toMatchObject({ tables: 39, rows: 632 });
    expect(await migrationStatus(url)).toMatchObject({ pending: [], failed: [] });
    const migrated = connect({ url, applicationName: "kb-test" });
    const [team] = await migrated.acrossTeams.rows<{ id: string }>(sql`SELECT id FROM teams`);
    const service = serviceOf(migrated, home.settings);
    const actor = await admin.systemActor(service, team?.id ?? "");
    const stored = await storedBodies();
    expect(stored.size).toBe(85);
    for (const [id, body] of stored) {
      const input = { id, format: "markdown", include: "content" } as const;
      const { content, text, markdownText } = await invoke(service, operations.getDocument, actor, input);
      expect({ content, text, markdown: markdownText }).toEqual(body);
    }
    await migrated.close();
  } finally {
    await home.remove();
    await drop();
  }
});
