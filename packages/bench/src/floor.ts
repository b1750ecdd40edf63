import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";
import type { Recording, Statement } from "./record.ts";

// The floor: a bare Hono handler for each scenario that runs the statements which the service ran, with `pg`, prepared, and
// answers with the same bytes. It authenticates nobody, decides nothing, parses and writes no Markdown.

const [file = "", url = "", port = "0"] = process.argv.slice(2);
const recordings: Recording[] = JSON.parse(readFileSync(file, "utf8"));
const pool = new pg.Pool({ connectionString: url, max: 10 });
const app = new Hono();

const names = new Map<string, string>();
function nameOf(text: string): string {
  const known = names.get(text);
  if (known !== undefined) return known;
  const name = `floor_${names.size}`;
  names.set(text, name);
  return name;
}

function revived(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("hex" in value)) return value;
  return Buffer.from(String(value.hex), "hex");
}

// Far above what the service hands out, and its own: a sequence number is unique in a team.
let sequence = Date.now() * 1000;

const inserted = /^\s*INSERT INTO documents \(([^)]*)\)/;

/**
 * Values that must be new each time: the ids of inserted rows wherever they stand, and the events' sequence numbers. Documents
 * come as parameters; events and entries of the audit log as rows in JSON.
 */
function freshen(statements: readonly Statement[]): (statement: Statement) => unknown[] {
  const fresh = new Map<string, string>();
  for (const { text, values } of statements) {
    const place = columnsOf(text).indexOf("id");
    if (place >= 0) fresh.set(String(values[place]), randomUUID());
  }
  const renamed = (text: string): string =>
    [...fresh].reduce((renewed, [before, after]) => renewed.replaceAll(before, after), text);
  return ({ values }) =>
    values.map((value) => {
      if (typeof value !== "string") return revived(value);
      return value.startsWith("[{") ? JSON.stringify(rowsOf(renamed(value))) : (fresh.get(value) ?? value);
    });
}

function rowsOf(text: string): object[] {
  const rows: Record<string, unknown>[] = JSON.parse(text);
  return rows.map((row) => {
    sequence += 1;
    return { ...row, id: randomUUID(), ...("sequence" in row ? { sequence: String(sequence) } : {}) };
  });
}

function columnsOf(text: string): string[] {
  const list = inserted.exec(text)?.[1];
  return list === undefined ? [] : list.split(",").map((name) => name.replaceAll('"', "").trim());
}

async function replay(statements: readonly Statement[]): Promise<void> {
  const values = freshen(statements);
  const begin = statements.findIndex(({ text }) => text === "BEGIN");
  const run = (client: pg.Pool | pg.PoolClient, statement: Statement): Promise<unknown> =>
    client.query({ name: nameOf(statement.text), text: statement.text, values: values(statement) });
  const [first, ...reads] = begin < 0 ? statements : statements.slice(0, begin);
  if (first !== undefined) await run(pool, first);
  await Promise.all(reads.map((statement) => run(pool, statement)));
  if (begin < 0) return;
  const client = await pool.connect();
  try {
    for (const statement of statements.slice(begin)) {
      if (statement.values.length === 0) await client.query(statement.text);
      else await run(client, statement);
    }
  } finally {
    client.release();
  }
}

for (const { method, path, search, statements, answer } of recordings) {
  app.on(method, path, async (context, next) => {
    // Two searches have one path.
    if (new URL(context.req.url).search !== search) return next();
    if (method !== "GET") await context.req.text();
    await replay(statements);
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  });
}

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(port) }, (info) => {
  console.log(`ready ${info.port}`);
});
