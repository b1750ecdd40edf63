import { type Actor, isSparse, reach, readableIds } from "@kb/auth";
import { empty, type Reader, type Sql, sql } from "@kb/db";
import { LRUCache } from "lru-cache";

type Reach = { few: number; all: number };

/** What was found a minute ago is good enough: it decides how documents are looked for, and never which are found. */
const known = new LRUCache<string, Reach>({ max: 10_000, ttl: 60_000 });

/**
 * `AND …` for a list of everything in its order: who may read little of a large team would have nearly all of it passed by
 * until the page of `rows` is full, so what they may read is looked up. 1 statement a minute, which looks at no document.
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
