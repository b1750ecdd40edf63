import type { Service } from "@kb/core";
import { sql } from "@kb/db";
import { describeError, type Logger } from "@kb/http";
import { afterEvent, type Mark, sequenceAt, type TeamEvent } from "./change.ts";
import { type Follower, tellOf } from "./follower.ts";

/** How often the outbox is looked at while somebody follows. */
const everyMs = 250;

/** Events read in one look. */
const batch = 500;

/** Who is further behind than this is not told each change, but that there were some. */
const farBehind = 5_000;

/**
 * Tells followers of their teams' changes: one look at the outbox for all of them, none while nobody follows. An event's
 * sequence number becomes visible in order, so that what was read once is complete.
 */
export class ChangeFeed {
  readonly #service: Service;
  readonly #logger: Logger;
  readonly #followers = new Set<Follower>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(service: Service, logger: Logger) {
    this.#service = service;
    this.#logger = logger;
  }

  /** Where a follower stands that has missed nothing so far. */
  async markOf(teamId: string): Promise<Mark> {
    const [clock] = await this.#service.database.rows<{ sequence: number }>(
      sql`SELECT sequence FROM team_clocks WHERE "teamId" = ${teamId}::uuid`,
    );
    return afterEvent(clock?.sequence ?? 0);
  }

  /** Tells a follower from its mark on, until the function that this gives is called. */
  async follow(follower: Follower): Promise<() => void> {
    const now = await this.markOf(follower.caller.actor.teamId);
    if (sequenceAt(now) - sequenceAt(follower.mark) > farBehind) await skipAhead(follower, now);
    this.#followers.add(follower);
    this.#schedule(0);
    return () => void this.#followers.delete(follower);
  }

  stop(): void {
    this.#followers.clear();
    clearTimeout(this.#timer);
  }

  #schedule(delayMs: number): void {
    if (this.#looking || this.#followers.size === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#look(), delayMs);
  }

  async #look(): Promise<void> {
    this.#looking = true;
    let more = false;
    try {
      more = await this.#tellAll();
    } catch (error) {
      // Nothing is lost: the next look begins at the same marks.
      this.#logger.debug({ cause: describeError(error) }, "changes could not be read");
    } finally {
      this.#looking = false;
      this.#schedule(more ? 0 : everyMs);
    }
  }

  /** Gives whether there is more to read at once. */
  async #tellAll(): Promise<boolean> {
    const followers = [...this.#followers];
    const events = await this.#read(followers);
    await Promise.all(
      followers.map((follower) => {
        const { teamId } = follower.caller.actor;
        const own = events.filter((e) => e.teamId === teamId && e.sequence > sequenceAt(follower.mark));
        return own.length === 0 ? undefined : tellOf(this.#service, follower, own);
      }),
    );
    return events.length === batch;
  }

  #read(followers: readonly Follower[]): Promise<TeamEvent[]> {
    const from = new Map<string, number>();
    for (const { caller, mark } of followers) {
      const { teamId } = caller.actor;
      from.set(teamId, Math.min(from.get(teamId) ?? Number.MAX_SAFE_INTEGER, sequenceAt(mark)));
    }
    return this.#service.database.acrossTeams.rows<TeamEvent>(sql`
      SELECT e."teamId", e.id, e.sequence, e.type, e."documentId", e."collectionId"
      FROM unnest(${[...from.keys()]}::uuid[], ${[...from.values()]}::bigint[]) AS f("teamId", sequence)
      CROSS JOIN LATERAL (SELECT * FROM events o WHERE o."teamId" = f."teamId" AND o.sequence > f.sequence
        ORDER BY o.sequence LIMIT ${batch}::int) e
      ORDER BY e."teamId", e.sequence LIMIT ${batch}::int`);
  }
}

/** The changes in between are too many to tell: whatever was followed may have changed. */
async function skipAhead(follower: Follower, now: Mark): Promise<void> {
  const { uris, list } = await follower.interest();
  follower.mark = now;
  for (const uri of uris) follower.tell({ kind: "updated", uri }, now);
  if (list) follower.tell({ kind: "listChanged" }, now);
}
