import {
  type ComposedText,
  composeList,
  composeRaw,
  composeTemplate,
  interleave,
  parameter,
  unknownText,
  wholeText,
} from "./composed-text.ts";

/** A composed SQL statement: its text with placeholders, and its values. Equal compositions share one text. */
export class Sql {
  readonly composed: ComposedText;
  readonly values: readonly unknown[];

  constructor(composed: ComposedText, values: readonly unknown[]) {
    this.composed = composed;
    this.values = values;
  }

  get text(): string {
    return wholeText(this.composed);
  }
}

/** A statement to run: its text with placeholders, and its values. A composed `Sql` is one. */
export type Statement = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** `generic`: PostgreSQL plans the statement once for all values. By default it decides by its estimates. */
  readonly plan?: "generic" | undefined;
  /**
   * `more`: each sort and bitmap of the statement, and of those after it in the transaction, may take 16 MB, or what `work_mem` is if that is more;
   * a hash table may take twice that.
   */
  readonly memory?: "more" | undefined;
};

/** Reads rows: the database, a transaction or a snapshot. */
export type Reader = {
  /** Returns the rows of a statement. int8 is a number if it is safe, else a bigint; timestamptz a Date; jsonb its value. */
  rows<T>(statement: Statement): Promise<T[]>;
  /** Returns the rows of each statement. They run one after another on one connection, in one round trip. */
  rowsOfEach<T extends unknown[]>(statements: StatementsFor<T>): Promise<RowsOf<T>>;
};

/** One statement for each type of rows. */
export type StatementsFor<T extends unknown[]> = { readonly [Index in keyof T]: Statement };
/** The rows of each statement. */
export type RowsOf<T extends unknown[]> = { [Index in keyof T]: T[Index][] };

/**
 * Returns a statement that PostgreSQL plans once for all values, for statements whose best plan does not depend on them but
 * whose estimates do, such as a page with a limit: planning it takes longer than running it.
 */
export const withGenericPlan = (statement: Statement): Statement => ({
  text: statement.text,
  values: statement.values,
  plan: "generic",
  memory: statement.memory,
});

/**
 * Returns a statement with more memory than PostgreSQL's default of 4 MB, for statements that keep many rows: a bitmap that does not fit
 * forgets the rows and keeps their pages, so that each row of these is read and compared again.
 */
export const withMoreMemory = (statement: Statement): Statement => ({
  text: statement.text,
  values: statement.values,
  plan: statement.plan,
  memory: "more",
});

/**
 * A template tag: each `${value}` becomes a parameter, each nested `Sql` is spliced in. With a plain array, its texts are
 * composed for this call only.
 */
export function sql(strings: readonly string[], ...given: readonly unknown[]): Sql {
  const parts = given.map(partOf);
  const composed = Object.hasOwn(strings, "raw")
    ? composeTemplate(strings, parts)
    : unknownText(interleave(strings, parts));
  return new Sql(composed, valuesOf(given));
}

/** Joins statements or values by a separator (default a comma). @throws {TypeError} for an empty list */
export function join(list: readonly unknown[], separator = ","): Sql {
  if (list.length === 0) throw new TypeError("a list of SQL values must not be empty");
  return new Sql(composeList(separator, list.map(partOf)), valuesOf(list));
}

/** Unescaped SQL. Never use it for input. */
export const raw = (text: string): Sql => new Sql(composeRaw(text), []);

/** The empty statement, for an absent part of a composed one. */
export const empty: Sql = raw("");

const partOf = (value: unknown): ComposedText | typeof parameter => (value instanceof Sql ? value.composed : parameter);

function valuesOf(given: readonly unknown[]): unknown[] {
  const values: unknown[] = [];
  for (const value of given) {
    if (value instanceof Sql) values.push(...value.values);
    else values.push(value);
  }
  return values;
}
