import { sql } from "@kb/db";
import { z } from "zod";
import { query } from "../operation.ts";
import { Id } from "../schema/text.ts";
import {
  Import,
  ImportResult,
  type ImportRow,
  importColumns,
  importsOf,
  presentImport,
  requireImport,
} from "./import-row.ts";

const maxListed = 20;

/** Lists the latest imports of the caller. */
export const listImports = query({
  name: "imports.list",
  summary: "List your imports",
  description: `The latest ${maxListed}, newest first. An import is listed for 30 days.`,
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({}),
  output: z.array(Import),
  async run({ reader, actor, now }) {
    const rows = await reader.rows<ImportRow>(sql`SELECT ${importColumns} FROM ${importsOf(actor)}
      ORDER BY i."createdAt" DESC, i.id DESC LIMIT ${maxListed}`);
    return rows.map((row) => presentImport(row, now));
  },
});

/** Shows one import of the caller, with its result once it has ended. */
export const getImport = query({
  name: "imports.get",
  summary: "Show one of your imports",
  description: "With its progress, and its result once it has ended: at most 500 problems are listed.",
  scope: "read",
  capability: null,
  sessionOnly: true,
  input: z.strictObject({ id: Id }),
  output: Import.extend({ result: ImportResult.nullable() }),
  async run({ reader, actor, now }, { id }) {
    const row = await requireImport(reader, actor, id);
    const [stored] = await reader.rows<{
      result: z.input<typeof ImportResult> | null;
    }>(sql`SELECT i.result FROM imports i
      WHERE i."teamId" = ${actor.teamId}::uuid AND i.id = ${row.id}::uuid`);
    return { ...presentImport(row, now), result: stored?.result ?? null };
  },
});
