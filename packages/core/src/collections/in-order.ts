/** What the order of collections is made of. */
type Ordered = { readonly id: string; readonly name: string; readonly sortOrder: number };

/** Numbers in names count as numbers: "Team 2" comes before "Team 10". The same on every server, whatever its language. */
const names = new Intl.Collator("en", { numeric: true });

/** Returns collections in the order in which people find them: their own, then by name. */
export function inOrder<Row extends Ordered>(collections: readonly Row[]): Row[] {
  return collections.toSorted(
    (one, other) =>
      one.sortOrder - other.sortOrder || names.compare(one.name, other.name) || (one.id < other.id ? -1 : 1),
  );
}
