import type { ClientBase, Connection, Submittable } from "pg";
import { serialize } from "pg-protocol";
import { parameterOf } from "./parameter.ts";
import { type Column, type RowShape, rowShape } from "./row-shape.ts";
import type { Statement } from "./sql.ts";

/** A statement and the name under which connections prepare it; without a name it is prepared each time. */
export type Named = { readonly statement: Statement; readonly name: string | undefined };

/** The result of one statement. */
export type Outcome = { readonly rows: Record<string, unknown>[]; readonly count: number };

type Plan = "auto" | "force_generic_plan";

/** Sets the plan mode until the end of the transaction. */
const setPlan = "SELECT set_config('plan_cache_mode', $1, true)";
const setPlanName = "plan_cache_mode";
/** Raises the memory of a statement to 16 MB until the end of the transaction. An operator's higher value stays. */
const raiseMemory =
  "SELECT set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')), 16777216) / 1024 || 'kB', true)";
const raiseMemoryName = "work_mem";

/** One execution of a trip; `reported` is false for those that the trip adds itself. */
type Step = {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string;
  readonly reported: boolean;
};

/** The statements that a connection has prepared, by name; null while it is unknown whether one was. */
const prepared = new WeakMap<Connection, Map<string, RowShape | null>>();

/**
 * Runs statements in one round trip and, outside of a transaction, in a transaction of their own. All messages are one write,
 * and a statement that the connection has prepared is not described again: PostgreSQL refuses it if its columns have changed.
 */
export class RoundTrip implements Submittable {
  readonly statements: readonly Statement[];
  /**
   * Whether it begins or ends a transaction that writes: such a trip waits for the locks of other transactions or for the disk,
   * longer than PostgreSQL works.
   */
  readonly waitsForOthers: boolean;
  /** Resolves to the result of each statement, or rejects with the first error. */
  readonly done: Promise<Outcome[]>;
  readonly #steps: readonly Step[];
  readonly #outcomes: Outcome[] = [];
  readonly #settle = Promise.withResolvers<Outcome[]>();
  #known = new Map<string, RowShape | null>();
  #shapes: (RowShape | undefined)[] = [];
  #at = 0;
  #rows: Record<string, unknown>[] = [];
  #fault: unknown;

  /** @param inTransaction whether the plan mode must be restored, because the transaction continues after the trip */
  constructor(named: readonly Named[], inTransaction: boolean) {
    this.statements = named.map(({ statement }) => statement);
    this.waitsForOthers = this.statements.some(({ text }) => text === "BEGIN" || text === "COMMIT");
    this.done = this.#settle.promise;
    this.#steps = stepsOf(named, inTransaction);
  }

  /** Called by the driver when it is this trip's turn on the connection. */
  submit(connection: Connection): void {
    this.#known = preparedBy(connection);
    const messages = this.#steps.flatMap((step) => this.#messagesOf(step));
    if (connection.stream.writable) connection.stream.write(Buffer.concat([...messages, serialize.sync()]));
  }

  #messagesOf({ text, values, name }: Step): Buffer[] {
    const shape = this.#known.get(name);
    this.#shapes.push(shape ?? undefined);
    const run = [serialize.bind({ statement: name, values: values.map(parameterOf) }), serialize.execute()];
    if (shape !== undefined && shape !== null) return run;
    // After an error it is unknown which statements were prepared. Closing one that was not is no error.
    const forget = shape === null ? [serialize.close({ type: "S", name })] : [];
    if (name !== "") this.#known.set(name, null);
    return [...forget, serialize.parse({ name, text }), serialize.describe({ type: "S", name }), ...run];
  }

  handleRowDescription({ fields }: { fields: readonly Column[] }): void {
    this.#shapes[this.#at] = rowShape(fields);
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const shape = this.#shapes[this.#at];
    if (shape === undefined || this.#fault !== undefined) return;
    try {
      this.#rows.push(shape(fields));
    } catch (error) {
      this.#fault = error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const step = this.#steps[this.#at];
    const shape = this.#shapes[this.#at] ?? rowShape([]);
    if (step !== undefined && step.name !== "") this.#known.set(step.name, shape);
    if (step?.reported === true) this.#outcomes.push({ rows: this.#rows, count: affectedRows(text) });
    this.#rows = [];
    this.#at += 1;
  }

  handleReadyForQuery(): void {
    if (this.#fault === undefined) this.#settle.resolve(this.#outcomes);
    else this.#settle.reject(this.#fault);
  }

  handleError(error: unknown): void {
    // It may have failed because its columns have changed, so it is prepared again.
    const failed = this.#steps[this.#at];
    if (failed !== undefined && failed.name !== "") this.#known.set(failed.name, null);
    this.#settle.reject(error);
  }

  // The driver calls these for every query. No statement of a trip is empty, suspends its portal or copies.
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyInResponse(): void {}
  handleCopyData(): void {}
}

/**
 * Sends statements in one round trip. @param inTransaction whether the connection is in a transaction that continues
 */
export function send(client: ClientBase, named: readonly Named[], inTransaction: boolean): Promise<Outcome[]> {
  return client.query(new RoundTrip(named, inTransaction)).done;
}

function preparedBy(connection: Connection): Map<string, RowShape | null> {
  const known = prepared.get(connection) ?? new Map<string, RowShape | null>();
  prepared.set(connection, known);
  return known;
}

/** Returns the executions, with what is set for them. */
function stepsOf(named: readonly Named[], inTransaction: boolean): Step[] {
  const steps: Step[] = [];
  let plan: Plan = "auto";
  // Connections of a pooler prepare nothing.
  const prepares = named.every(({ name }) => name !== undefined);
  const switchTo = (wanted: Plan): void => {
    if (wanted === plan) return;
    plan = wanted;
    steps.push({ text: setPlan, values: [wanted], name: prepares ? setPlanName : "", reported: false });
  };
  const first = named.find(({ statement }) => statement.memory === "more")?.statement;
  for (const { statement, name = "" } of named) {
    if (statement === first)
      steps.push({ text: raiseMemory, values: [], name: prepares ? raiseMemoryName : "", reported: false });
    switchTo(statement.plan === "generic" ? "force_generic_plan" : "auto");
    steps.push({ text: statement.text, values: statement.values, name, reported: true });
  }
  if (inTransaction) switchTo("auto");
  return steps;
}

/** Reads the number of rows from a command tag such as `INSERT 0 3`. */
function affectedRows(tag: string): number {
  return Number(/ (\d+)$/.exec(tag)?.[1] ?? 0);
}
