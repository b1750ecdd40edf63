import { type Column, columns, groupSizes } from "./columns.ts";

/** Outcome of a call: done, or the code of its refusal. */
export type Outcome =
  | "allowed"
  | "authentication_required"
  | "invalid_api_key"
  | "invalid_token"
  | "insufficient_scope"
  | "forbidden"
  | "not_found";

/** The expected outcome of one operation for each kind of credential. */
export type Cells = Readonly<Record<Column, Outcome>>;

const letters: Readonly<Record<string, Outcome>> = {
  "+": "allowed",
  A: "authentication_required",
  K: "invalid_api_key",
  T: "invalid_token",
  S: "insufficient_scope",
  F: "forbidden",
  N: "not_found",
};

/**
 * Reads a row of the access matrix: a letter for each kind of credential (`columns.ts` explains them), in groups.
 *
 * none, garbage, wrong prefix, bad checksum,
 * unknown, expired, revoked, suspended ──────────┐
 * a key that reads, writes, both, an admin's ────│────────┐
 * restricted: none, read, write, document up to  │        │
 * read, to write, down to read, to none ─────────│────────│────┐
 * the channel's token, another channel's ────────│────────│────│───────┐
 * sessions: admin, editor, member, viewer,       │        │    │       │
 * of the team's own group, of another team ──────│────────│────│───────│──┐
 * another team's admin key, MCP off ─────────────│────────│────│───────│──│──────┐
 * an app that reads, one that writes ────────────│────────│────│───────│──│──────│──┐
 *                                                AKKKKKKK +S++ N+++++N KK +++++N N+ KK
 *
 * An admin published the subject in a collection where the team may write. REST takes no token of an app;
 * `@kb/mcp-tools/testing` defines its outcome for the tools.
 * @throws {Error} for a row that names too few credentials or an unknown outcome
 */
export function cellsOf(name: string, row: string): Cells {
  const sizes = row.split(" ").map((group) => group.length);
  if (sizes.join() !== groupSizes.join()) throw new Error(`${name}: groups of ${sizes}, not of ${groupSizes}`);
  const outcomes = [...row.replaceAll(" ", "")].map((letter) => {
    const outcome = letters[letter];
    if (outcome === undefined) throw new Error(`${name}: no outcome is called ${letter}`);
    return outcome;
  });
  return asCells(Object.fromEntries(columns.map((column, place) => [column, outcomes[place]])));
}

/** The sizes of the groups were compared: there is a letter for every column. */
function asCells(entries: object): Cells {
  return entries as Cells;
}
