import { type Actor, readableCollections } from "@kb/auth";
import { type Reader, type Sql, sql } from "@kb/db";

/** The parts of a collection that decide its place. */
export type Ordered = { readonly id: string; readonly name: string; readonly sortOrder: number };

/** Numbers in names count as numbers: "Team 2" comes before "Team 10". The same on every server, whatever its language. */
const names = new Intl.Collator("en", { numeric: true });

/** Compares two collections by the order in which people find them: their own, then by name. */
export const compareCollections = (one: Ordered, other: Ordered): number =>
  one.sortOrder - other.sortOrder ||
  names.compare(one.name, other.name) ||
  Number(one.id > other.id) - Number(one.id < other.id);

/** Returns collections in the order in which people find them. */
export const inOrder = <Row extends Ordered>(collections: readonly Row[]): Row[] =>
  collections.toSorted(compareCollections);

/** Reads in their order the collections that the caller may read, of those that meet a condition on `c`. 1 statement. */
export async function readInOrder(reader: Reader, actor: Actor, condition: Sql): Promise<Ordered[]> {
  return inOrder(
    await reader.rows<Ordered>(sql`SELECT c.id, c.name, c."sortOrder" FROM collections c
      WHERE ${readableCollections(actor)} AND ${condition}`),
  );
}
