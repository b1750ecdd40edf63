import { AsyncLocalStorage } from "node:async_hooks";
import { currentScope, type Telemetry } from "@kb/telemetry";
import type pg from "pg";
import { sqlState } from "./errors.ts";
import { type Named, statementNames } from "./statement-name.ts";

/** Tells what a pool costs: its statements and the waits for its connections. */
export type Measure = {
  /** Has every statement of a connection told, to whoever it is done for and to the telemetry. */
  statements(client: pg.PoolClient): void;
  /** Has a wait for a connection told. */
  wait(startedAt: number, error?: unknown): void;
  /** Whether anybody wants to know. */
  wanted(): boolean;
};

/** The measure of the pool of that name; where nobody asks, it looks at nothing but whether somebody does. */
export function measureOf(telemetry: Telemetry, pool: string): Measure {
  const nameOf = statementNames();
  const poolLabel = { "db.client.connection.pool.name": pool };
  const recording = telemetry.metrics || telemetry.traces;
  const wanted = (): boolean => recording || currentScope() !== undefined;

  return {
    wanted,
    statements: (client) => {
      client.query = new Proxy(client.query, {
        apply: (query, self, args: unknown[]) => {
          if (!wanted()) return Reflect.apply(query, self, args);
          const ended = begin(telemetry, recording ? nameOf(args[0]) : undefined);
          return endedBy(args, ended, (all) => Reflect.apply(query, self, all));
        },
      });
    },
    wait: (startedAt, error) => {
      const waitedMs = performance.now() - startedAt;
      const tally = currentScope()?.tally;
      if (tally !== undefined) tally.poolWaitMs += waitedMs;
      telemetry.record("db.client.connection.wait_time", waitedMs / 1000, poolLabel);
      if (isTimeout(error)) telemetry.add("db.client.connection.timeouts", 1, poolLabel);
    },
  };
}

const isTimeout = (error: unknown): boolean => error instanceof Error && /^timeout exceeded/.test(error.message);

/** A statement begins; what this gives is called when it ends. */
function begin(telemetry: Telemetry, named: Named | undefined): (error?: unknown) => void {
  const startedAt = performance.now();
  const scope = currentScope();
  // Statements of the jobs that look for work all day long belong to no trace.
  const span =
    named === undefined || scope?.span === undefined
      ? undefined
      : telemetry.begin(named.summary, { kind: "client", attributes: named.labels });
  return (error) => {
    const tookMs = performance.now() - startedAt;
    if (scope?.tally !== undefined) {
      scope.tally.statements += 1;
      scope.tally.sqlMs += tookMs;
    }
    if (named === undefined) return;
    const failure = error === undefined || error === null ? undefined : (sqlState(error) ?? "connection");
    const labels = failure === undefined ? named.labels : { ...named.labels, "error.type": failure };
    telemetry.record("db.client.operation.duration", tookMs / 1000, labels);
    if (failure !== undefined) span?.fail(failure);
    span?.end();
  };
}

type Callback = (error: unknown, ...rest: unknown[]) => unknown;

const isCallback = (value: unknown): value is Callback => typeof value === "function";

/** Calls `ended` when the query is done, in whichever form its caller is told. */
function endedBy(args: unknown[], ended: (error?: unknown) => void, call: (args: unknown[]) => unknown): unknown {
  const last = args.at(-1);
  if (isCallback(last)) {
    const told: Callback = (error, ...rest) => {
      ended(error);
      return last(error, ...rest);
    };
    return call([...args.slice(0, -1), told]);
  }
  const result = call(args);
  if (result instanceof Promise) result.then(() => ended(), ended);
  else ended();
  return result;
}

/** A callback that is called in the place from which it was given, and not in that of whoever frees a connection. */
export const inPlace = <T extends (...args: never[]) => unknown>(callback: T): T => AsyncLocalStorage.bind(callback);
