import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";
import type { Recording, Statement } from "./record.ts";

// Serves the floor: a bare Hono handler for each scenario, which runs the same prepared statements as the service with `pg`
// and responds with the same bytes. It does not authenticate, authorize, or process Markdown.

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

function restoreBytes(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("hex" in value)) return value;
  return Buffer.from(String(value.hex), "hex");
}

// Starts far above the service's sequence numbers, because they are unique within a team.
let sequence = Date.now() * 1000;

const inserted = /^\s*INSERT INTO (?:documents|floor) \(([^)]*)\)/;

/**
 * Replaces the values that must be unique: the ids of inserted rows in all parameters, and the sequence numbers of events.
 * Documents are parameters; events and audit entries are rows in JSON.
 */
function withFreshValues(statements: readonly Statement[]): (statement: Statement) => unknown[] {
  const fresh = new Map<string, string>();
  for (const { text, values } of statements) {
    const place = columnsOf(text).indexOf("id");
    if (place >= 0) fresh.set(String(values[place]), randomUUID());
  }
  const renamed = (text: string): string =>
    [...fresh].reduce((renewed, [before, after]) => renewed.replaceAll(before, after), text);
  return ({ values }) =>
    values.map((value) => {
      if (typeof value !== "string") return restoreBytes(value);
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
  const values = withFreshValues(statements);
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
    // Both searches have the same path.
    if (new URL(context.req.url).search !== search) return next();
    if (method !== "GET") await context.req.text();
    await replay(statements);
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  });
}

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(port) }, (info) => {
  console.log(`ready ${info.port}`);
});
