import type { Actor } from "@kb/auth";
import type { Operation, Service } from "@kb/core";
import { connect } from "@kb/db";
import { createLogger, type Limiter, processLimiter } from "@kb/runtime";
import type { Hono } from "hono";
import type { z } from "zod";
import { clientIp, type Edge, edgeApp, guardApi, type Row, serveRows } from "../src/index.ts";
import type { CostBudget } from "../src/request-limits.ts";

/** The arguments of an operation of a test. */
export type Received = { input: unknown; expectedRevisions: unknown; idempotency: unknown };

/** Creates an operation without a database that records its calls and returns the given answer. */
export function operationOf<Input extends z.ZodType, Output extends z.ZodType>(
  input: Input,
  output: Output,
  answer: (input: z.output<Input>, call: Received) => z.input<Output> | Promise<z.input<Output>>,
  { name = "things.test", changes = false }: { name?: string; changes?: boolean } = {},
): Operation<Input, Output> & { readonly received: Received[] } {
  const received: Received[] = [];
  return {
    name,
    summary: "Test",
    caller: "user",
    scope: "read",
    capability: null,
    changes,
    input,
    output,
    received,
    perform: async (_service, _actor, call, parsed) => {
      const note = { input: parsed, expectedRevisions: call.expectedRevisions, idempotency: call.idempotency };
      received.push(note);
      return answer(parsed, note);
    },
  };
}

/**
 * The caller behind the token `good`; `other` is the same user with another key, `browser` with a session, and `else` is another
 * user.
 */
export function actorNamed(token: string): Actor | null {
  if (!["good", "other", "browser", "else"].includes(token)) return null;
  return {
    teamId: "0192f0c1-2222-7000-8000-000000000001",
    userId: token === "else" ? "0192f0c1-2222-7000-8000-000000000003" : "0192f0c1-2222-7000-8000-000000000002",
    userName: "Ada",
    email: "ada@example.org",
    systemAdmin: false,
    capabilities: new Set(),
    groupIds: [],
    scopes: new Set(["read", "write"]),
    credential: credentialNamed(token),
    restrictedKeyId: null,
  };
}

function credentialNamed(token: string): Actor["credential"] {
  if (token !== "browser") return { kind: "api_key", id: `key-${token}`, name: "Everyday" };
  return { kind: "session", id: "session", name: "Browser" };
}

export type TestEdge = { app: Hono<Edge>; lines: Record<string, unknown>[] };

/** The edge around some rows; `lines` are those of its log. Nothing here reaches the database, which is closed. */
export function edgeOf(
  rows: readonly Row[],
  options: { limiter?: Limiter; perMinute?: number; budget?: CostBudget } = {},
): TestEdge {
  const { limiter = processLimiter(), perMinute = 1_000_000, budget } = options;
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => lines.push(JSON.parse(line)) };
  const logger = createLogger({ app: "test", level: "info", destination });
  const appUrl = "http://localhost:3000";
  const find = clientIp([]);
  const app = edgeApp({ logger, clientIp: find, appUrl });
  const database = connect({ url: "postgresql://nobody@127.0.0.1:9/none" });
  const service: Service = { database, clock: { now: () => new Date() }, appUrl };
  guardApi(app, { authenticate: async (token) => actorNamed(token), limiter, perMinute, budget, clientIp: find });
  serveRows(app, service, rows);
  return { app, lines };
}

/** A request as the good caller makes it. */
export function as(token: string | null, init: RequestInit & { json?: unknown } = {}): RequestInit {
  const { json, ...rest } = init;
  const headers = new Headers(rest.headers);
  if (token !== null) headers.set("Authorization", `Bearer ${token}`);
  if (json === undefined) return { ...rest, headers };
  headers.set("Content-Type", "application/json");
  return { method: "POST", ...rest, headers, body: JSON.stringify(json) };
}
