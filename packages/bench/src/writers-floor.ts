import { randomUUID } from "node:crypto";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";

// Serves the floor of the writers: a bare Hono handler that inserts one row with the bytes of the request, by a prepared statement.

const [url = "", port = "0"] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 10 });
await pool.query("CREATE TABLE IF NOT EXISTS floor (id uuid PRIMARY KEY, body text NOT NULL)");
const app = new Hono();

app.all("*", async (context) => {
  const body = await context.req.text();
  const values = [randomUUID(), body];
  await pool.query({ name: "floor", text: "INSERT INTO floor (id, body) VALUES ($1, $2)", values });
  return context.body(body, 200, { "content-type": "application/json" });
});

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(port) }, (info) => {
  console.log(`ready ${info.port}`);
});
