import { rowTypes } from "./row-types.ts";

/** A column as PostgreSQL describes it. */
export type Column = { readonly name: string; readonly dataTypeID: number };

/** Converts the fields of a row, which are texts, to an object. */
export type RowShape = (fields: readonly (string | null)[]) => Record<string, unknown>;

/** Returns the shape of the rows with these columns. A connection keeps it for as long as the prepared statement. */
export function rowShape(columns: readonly Column[]): RowShape {
  const names = columns.map(({ name }) => name);
  const parsers = columns.map(({ dataTypeID }) => rowTypes.getTypeParser(dataTypeID, "text"));
  const empty = Object.fromEntries(names.map((name) => [name, null]));
  return (fields) => {
    const row: Record<string, unknown> = { ...empty };
    for (const [index, name] of names.entries()) {
      const field = fields[index];
      if (field !== null && field !== undefined) row[name] = parsers[index]?.(field);
    }
    return row;
  };
}
