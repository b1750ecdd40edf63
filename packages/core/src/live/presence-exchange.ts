import type { Database } from "@kb/db";
import { z } from "zod";
import { Id } from "../schema/text.ts";
import { type Presence, PresentPeople, presenceTtlMs } from "./present-people.ts";

/** The channel on which processes tell each other who is where. Nothing of it is stored. */
const channel = "kb_presence";

/** A process sends what its tabs tell at most this often, in one statement: a commit with a notification waits for all others. */
const pauseMs = 200;

const Message = z.union([
  z.object({ asksFor: Id }),
  z.object({
    teamId: Id,
    documentId: Id,
    tabId: Id,
    userId: Id,
    at: z.number(),
    caret: z.object({ version: z.int(), anchor: z.int(), head: z.int() }).nullable(),
    hasLeft: z.boolean(),
    /** The time after which it expires: the clocks of two machines differ. */
    expiresInMs: z.number().max(presenceTtlMs),
  }),
]);

/** What a tab told this process. */
export type ToldPresence = Pick<Presence, "teamId" | "documentId" | "tabId" | "userId" | "caret" | "hasLeft">;

/** What the processes tell each other through. */
type Exchanging = Pick<Database, "announce" | "listen">;

/**
 * Knows who has which document open, in any process: each tells the others what its tabs tell. A process that begins to follow a
 * document asks for those who are there. A message that is lost is made up for when the tab tells again.
 */
export class PresenceExchange {
  readonly #database: Exchanging;
  readonly #onChange: (documentId: string) => void;
  readonly #people = new PresentPeople();
  /** The tabs that told this process, which answers for them. */
  readonly #own = new Map<string, Presence>();
  readonly #waiting = new Map<string, Presence>();
  #lastAt = 0;
  #sentAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;
  readonly #asked = new Set<string>();

  /** @param onChange called with the id of a document in which somebody came, moved or left */
  constructor(database: Exchanging, onChange: (documentId: string) => void) {
    this.#database = database;
    this.#onChange = onChange;
  }

  /** Takes up what a tab told, and tells the other processes. */
  tell(told: ToldPresence): ReturnType<PresentPeople["put"]> {
    this.#listen();
    const now = Date.now();
    // Two messages of one millisecond have an order too, and what a tab tells now is later than what it told a process whose clock
    // is ahead.
    this.#lastAt = Math.max(now, this.#lastAt + 1, this.#people.lastAt(told) + 1);
    const presence = { ...told, at: this.#lastAt, expiresAt: now + presenceTtlMs };
    const outcome = this.#people.put(presence, now);
    if (outcome !== "known") return outcome;
    this.#own.set(keyOf(presence), presence);
    this.#announce(presence);
    this.#onChange(presence.documentId);
    return outcome;
  }

  /** Returns the tabs in a document, of any process. */
  in(documentId: string): readonly Presence[] {
    return this.#people.in(documentId, Date.now());
  }

  /** Asks the other processes, once, who is in these documents; forgets that it asked for others. */
  ask(documentIds: ReadonlySet<string>): void {
    this.#listen();
    for (const id of this.#asked) if (!documentIds.has(id)) this.#asked.delete(id);
    for (const id of documentIds) {
      if (this.#asked.has(id)) continue;
      this.#asked.add(id);
      this.#database.announce({ channel, payload: JSON.stringify({ asksFor: id }) });
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  #listen(): void {
    this.#stopListening ??= this.#database.listen(channel, (payload) => this.#receive(payload));
  }

  #receive(payload: string | null): void {
    // Answers may have been missed.
    if (payload === null) this.#asked.clear();
    else this.#take(Message.safeParse(parsed(payload)).data);
  }

  #take(message: z.output<typeof Message> | undefined): void {
    if (message === undefined) return;
    if ("asksFor" in message) {
      this.#answer(message.asksFor);
      return;
    }
    const now = Date.now();
    const { expiresInMs, ...rest } = message;
    const presence = { ...rest, expiresAt: now + expiresInMs };
    if (this.#people.put(presence, now) !== "known") return;
    this.#own.delete(keyOf(presence));
    this.#onChange(presence.documentId);
  }

  #answer(documentId: string): void {
    const now = Date.now();
    for (const [key, presence] of this.#own) {
      if (presence.expiresAt <= now) this.#own.delete(key);
      else if (presence.documentId === documentId) this.#announce(presence);
    }
  }

  #announce(presence: Presence): void {
    this.#waiting.set(keyOf(presence), presence);
    // The clock of a machine may be set back.
    const pause = Math.min(pauseMs, this.#sentAt + pauseMs - Date.now());
    this.#timer ??= setTimeout(() => this.#sendWaiting(), Math.max(0, pause));
  }

  #sendWaiting(): void {
    this.#timer = undefined;
    const now = Date.now();
    this.#sentAt = now;
    for (const { expiresAt, ...presence } of this.#waiting.values()) {
      const message = { ...presence, expiresInMs: Math.max(0, expiresAt - now) };
      this.#database.announce({ channel, payload: JSON.stringify(message) });
    }
    this.#waiting.clear();
    for (const [key, { expiresAt }] of this.#own) if (expiresAt <= now) this.#own.delete(key);
  }
}

const keyOf = ({ documentId, tabId }: Presence): string => `${documentId} ${tabId}`;

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return undefined;
  }
}
