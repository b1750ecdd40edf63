import { AsyncLocalStorage } from "node:async_hooks";
import { beginBoundedDatabaseWork, beginDatabaseWork, currentScope, type Telemetry } from "@kb/telemetry";
import type pg from "pg";
import { sqlState } from "./errors.ts";
import { RoundTrip } from "./round-trip.ts";
import { type Named, statementNames } from "./statement-name.ts";

/** Measures the statements of a pool and the waits for its connections. */
export type Measure = {
  /** Records every statement of a connection in the current scope and the telemetry. */
  statements(client: pg.PoolClient): void;
  /** Records a wait for a connection. */
  wait(startedAt: number, error?: unknown): void;
  /** Returns whether anything is recorded. */
  isEnabled(): boolean;
};

/** Creates the measure of a named pool. It costs nearly nothing while nothing is recorded. */
export function createMeasure(telemetry: Telemetry, pool: string): Measure {
  const nameOf = statementNames();
  const poolLabel = { "db.client.connection.pool.name": pool };
  const recording = telemetry.metrics || telemetry.traces;
  const isEnabled = (): boolean => recording || currentScope() !== undefined;

  return {
    isEnabled,
    statements: (client) => {
      client.query = new Proxy(client.query, {
        apply: (query, self, args: unknown[]) => {
          const [trip] = args;
          if (trip instanceof RoundTrip) chargeCaller(trip);
          if (!isEnabled()) return Reflect.apply(query, self, args);
          if (trip instanceof RoundTrip) {
            const ends = trip.statements.map((sent) => beginStatement(telemetry, recording ? nameOf(sent) : undefined));
            trip.done.then(
              () => endAll(ends),
              (error: unknown) => endAll(ends, error),
            );
            return Reflect.apply(query, self, args);
          }
          const onEnd = beginStatement(telemetry, recording ? nameOf(args[0]) : undefined);
          return callWithEnd(args, onEnd, (all) => Reflect.apply(query, self, all));
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

/** Values up to this length are written in a moment. */
const shortCharacters = 50_000;
/** The time that PostgreSQL takes to compress, index and log a written character, about. */
const msPerCharacter = 60 / 1_000_000;

/**
 * Counts the time until a trip ends as a cost of the caller of the request. One that waits for others costs at most what its
 * values take to be written: long bodies are written in the trip that begins or ends their transaction.
 */
function chargeCaller({ done, waitsForOthers, statements }: RoundTrip): void {
  const end = waitsForOthers ? beginWrite(statements) : beginDatabaseWork();
  if (end !== undefined) done.then(end, end);
}

function beginWrite(statements: RoundTrip["statements"]): (() => void) | undefined {
  const lengths = statements.flatMap(({ values }) =>
    values.map((value) => (typeof value === "string" ? value.length : 0)),
  );
  const characters = lengths.reduce((sum, length) => sum + length, 0);
  return characters > shortCharacters ? beginBoundedDatabaseWork(characters * msPerCharacter) : undefined;
}

const isTimeout = (error: unknown): boolean => error instanceof Error && /^timeout exceeded/.test(error.message);

/** Records the end of a statement; `isSent` is false for one that was sent together with another, whose time is counted. */
type End = (error?: unknown, isSent?: boolean) => void;

/** Ends the statements of one round trip. */
function endAll(ends: readonly End[], error?: unknown): void {
  for (const [index, end] of ends.entries()) end(error, index === 0);
}

/** Records the start of a statement; returns the function to call at its end. */
function beginStatement(telemetry: Telemetry, named: Named | undefined): End {
  const startedAt = performance.now();
  const scope = currentScope();
  // Jobs that poll for work have no span, so their statements belong to no trace.
  const span =
    named === undefined || scope?.span === undefined
      ? undefined
      : telemetry.begin(named.summary, { kind: "client", attributes: named.labels });
  return (error, isSent = true) => {
    const tookMs = performance.now() - startedAt;
    if (scope?.tally !== undefined) {
      scope.tally.statements += 1;
      if (isSent) scope.tally.sqlMs += tookMs;
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

/** Calls `onEnd` when the query is done, whether it takes a callback or returns a promise. */
function callWithEnd(args: unknown[], onEnd: (error?: unknown) => void, call: (args: unknown[]) => unknown): unknown {
  const last = args.at(-1);
  if (isCallback(last)) {
    const callback: Callback = (error, ...rest) => {
      onEnd(error);
      return last(error, ...rest);
    };
    return call([...args.slice(0, -1), callback]);
  }
  const result = call(args);
  if (result instanceof Promise) result.then(() => onEnd(), onEnd);
  else onEnd();
  return result;
}

/** Binds a callback to the current scope; without it, it would run in the scope of the code that releases a connection. */
export const bindToScope = <T extends (...args: never[]) => unknown>(callback: T): T =>
  AsyncLocalStorage.bind(callback);
