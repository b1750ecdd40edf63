import type { OutputOf } from "../../api/contract.ts";

/** What a restricted key reaches, by id; a collection that is not named is closed to it, a document follows its collection. */
export type Restrictions = NonNullable<OutputOf<"apiKeys.info">["restrictions"]>;
/** How far a key may go in one place. */
export type Level = Restrictions["collections"][string];

/** The levels, from none on. */
export const levels: readonly Level[] = ["none", "read", "write"];

/** The restrictions of a key that reaches nothing yet. */
export const noAccess: Restrictions = { collections: {}, documents: {} };

/** Returns the restrictions with another level of a collection. */
export function withCollection({ collections, documents }: Restrictions, id: string, level: Level): Restrictions {
  const { [id]: _, ...others } = collections;
  return { collections: level === "none" ? others : { ...others, [id]: level }, documents };
}

/** Returns the restrictions with another level of a document; undefined lets it follow its collection again. */
export function withDocument(
  { collections, documents }: Restrictions,
  id: string,
  level: Level | undefined,
): Restrictions {
  const { [id]: _, ...others } = documents;
  return { collections, documents: level === undefined ? others : { ...others, [id]: level } };
}
