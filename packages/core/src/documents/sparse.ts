import { type Actor, isSparse, reach, readableIds } from "@kb/auth";
import { empty, type Reader, type Sql, sql } from "@kb/db";
import { LRUCache } from "lru-cache";

type Reach = { few: number; all: number };

/** A result that is a minute old is good enough: it only decides how documents are looked up, never which are found. */
const known = new LRUCache<string, Reach>({ max: 10_000, ttl: 60_000 });

/**
 * Returns `AND …` for an unfiltered list in its order. A caller who may read few documents of a large team would
 * otherwise skip nearly all of them to fill a page of `rows`; for them, the documents are looked up. 1 statement per
 * minute, which reads no document.
 */
export async function whereSparse(reader: Reader, actor: Actor, rows: number): Promise<Sql> {
  return isSparse(rows, await reachOf(reader, actor)) ? sql` AND d.id = ANY (${readableIds(actor)})` : empty;
}

async function reachOf(reader: Reader, actor: Actor): Promise<Reach> {
  const caller = `${actor.teamId} ${actor.restrictedKeyId ?? actor.userId}`;
  const before = known.get(caller);
  if (before !== undefined) return before;
  const [now = { few: 0, all: 0 }] = await reader.rows<Reach>(reach(actor));
  known.set(caller, now);
  return now;
}
