import { endOfGroup, splitOutside } from "./equations.ts";

/**
 * Returns the expressions of an inserted column, one for each row. PostgreSQL names the column of a list of VALUES only by its
 * number: the list itself is in the text of the statement.
 */
export function insertedRows(expression: string, text: string): string[] {
  const column = /^"\*VALUES\*[^"]*"\.column(\d+)$/.exec(expression)?.[1];
  if (column === undefined) return [expression];
  const list = /\bVALUES\s*(\(.*)$/s.exec(text)?.[1] ?? "";
  return rowsOf(list).map((row) => withoutCast(splitOutside(row, ",")[Number(column) - 1] ?? "?"));
}

/** Returns an expression without the type to which it is cast. */
const withoutCast = (expression: string): string => expression.trim().replace(/::\w+$/, "");

/** Returns the inner texts of the parentheses at the beginning of a text, which commas separate. */
function rowsOf(list: string): string[] {
  if (!list.startsWith("(")) return [];
  const end = endOfGroup(list, 0);
  return [list.slice(1, end), ...rowsOf(list.slice(end + 1).replace(/^\s*,\s*/, ""))];
}
