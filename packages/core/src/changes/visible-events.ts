import { type Actor, type DocumentFacts, decideDocument, readableTombstones } from "@kb/auth";
import { join, type Reader, type Sql, sql } from "@kb/db";
import type { AudienceRule, EventFacts } from "./audience-rules.ts";
import { eventDefinitions, eventTypes, eventTypesWhere, findDefinition } from "./event-types.ts";

/**
 * How much of an event a reader may see. `departed`: the reader lost access to the document by it and may see only the
 * document's id.
 */
export type Visibility = "full" | "departed";

const departingTypes = eventTypesWhere((definition) => definition.departs === true);
const typesBeyondCollections = eventTypesWhere((definition) => definition.ignoresCollections === true);
const typesByRule: ReadonlyMap<AudienceRule, readonly string[]> = Map.groupBy(
  eventTypes,
  (type) => eventDefinitions[type].audience,
);

/**
 * Finds which of these events of the team an actor may see under the current policy. `collectionIds` limits them to
 * collections; an empty list means all collections. Events that are not in the map are hidden.
 */
export async function findVisibleEvents(
  reader: Reader,
  actor: Actor,
  eventIds: readonly string[],
  collectionIds: readonly string[] = [],
): Promise<Map<string, Visibility>> {
  if (eventIds.length === 0) return new Map();
  const rows = await reader.rows<{ id: string; visible: boolean; departed: boolean }>(sql`
    SELECT e.id, (${visible(actor)} AND ${inside(collectionIds)}) AS visible, ${departed(actor, collectionIds)} AS departed
    FROM events e WHERE e."teamId" = ${actor.teamId}::uuid AND e.id = ANY(${eventIds}::uuid[])`);
  const found = new Map<string, Visibility>();
  for (const row of rows) {
    if (row.visible) found.set(row.id, "full");
    else if (row.departed) found.set(row.id, "departed");
  }
  return found;
}

/** Decides the same in code for one event. `left` has the states of the document that its tombstones record. */
export function decideEvent(
  actor: Actor,
  type: string,
  facts: EventFacts,
  left: readonly DocumentFacts[],
): Visibility | "hidden" {
  const definition = findDefinition(type);
  if (definition?.audience.allows(actor, facts) === true) return "full";
  const couldRead = left.some((state) => decideDocument(actor, "read", { ...state, deletedAt: null }) === "allow");
  return definition?.departs === true && couldRead ? "departed" : "hidden";
}

/** Condition on `events e`: the actor may see the event. Types that this release does not know are hidden. */
function visible(actor: Actor): Sql {
  const cases = [...typesByRule].map(
    ([rule, types]) => sql`WHEN e.type IN (${join(types.map((type) => sql`${type}`))}) THEN ${rule.sql(actor)}`,
  );
  return sql`CASE ${join(cases, " ")} ELSE FALSE END`;
}

/** Condition on `events e`: the event is about one of these collections. */
function inside(collectionIds: readonly string[]): Sql {
  return collectionIds.length === 0
    ? sql`TRUE`
    : sql`(e."collectionId" = ANY(${collectionIds}::uuid[]) OR e.type = ANY(${typesBeyondCollections}::text[]))`;
}

/** Condition on `events e`: the actor could see the document, and it left that state by this event or since. */
function departed(actor: Actor, collectionIds: readonly string[]): Sql {
  const place = collectionIds.length === 0 ? sql`TRUE` : sql`s."collectionId" = ANY(${collectionIds}::uuid[])`;
  return sql`(e.type = ANY(${departingTypes}::text[]) AND EXISTS (SELECT 1 FROM tombstones s
    WHERE ${readableTombstones(actor)} AND s."documentId" = e."documentId"
      AND (s.at >= e.at OR e.type = 'document.destroyed') AND ${place}))`;
}
