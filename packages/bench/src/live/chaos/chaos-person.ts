import { setTimeout as pause } from "node:timers/promises";
import { type EditorSession, openSession } from "@kb/live/session";
import { httpTransport } from "@kb/live/testing";
import { schema } from "markdown-codec/schema";
import type { Person } from "../open-live-site.ts";
import { pieceOf } from "./pieces.ts";

const longestPauseMs = 500;
const retryMs = 500;
/** A call without an answer, and a stream without a heartbeat, end after this time. */
const timeoutMs = 20_000;

/** The heading above the blocks in which people type. */
export const typedHeading = "Text";

/** Somebody who types pieces of text into one document, in a tab that may crash. */
export class ChaosPerson {
  /** The pieces that the service has: the tab said so. */
  readonly acknowledged: string[] = [];
  /** The pieces of tabs that crashed before they were told. */
  readonly uncertain: string[] = [];
  /** The pieces that no longer had a place, and were kept for their author. */
  readonly orphaned: string[] = [];
  readonly #name: string;
  readonly #person: Person;
  readonly #documentId: string;
  readonly #origin: string;
  #pending: string[] = [];
  #count = 0;
  #isOver = false;
  #hasGivenUp = false;
  #tab: { readonly session: EditorSession; readonly crash: AbortController } | undefined;

  constructor(name: string, person: Person, documentId: string, origin: string) {
    this.#name = name;
    this.#person = person;
    this.#documentId = documentId;
    this.#origin = origin;
  }

  /** The session of the open tab. */
  get session(): EditorSession | undefined {
    return this.#tab?.session;
  }

  /** Types until `stop`, then waits until everything is acknowledged. */
  async type(): Promise<void> {
    while (!this.#isOver) {
      await pause(longestPauseMs * (0.2 + 0.8 * Math.random()));
      const session = this.#tab?.session ?? (await this.#openTab());
      if (session === null) return;
      this.#note(session);
      if (!this.#isOver && session.canWrite) this.#typePiece(session);
    }
    while (this.#pending.length > 0) {
      const session = this.#tab?.session ?? (await this.#openTab());
      if (session === null) return;
      await session.saved();
      this.#note(session);
      await pause(retryMs);
    }
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Ends the tab as it is: nothing more is sent. */
  crash(): void {
    const tab = this.#tab;
    if (tab === undefined) return;
    this.#note(tab.session);
    this.#tab = undefined;
    this.uncertain.push(...this.#pending);
    this.#pending = [];
    tab.crash.abort();
    tab.session.end();
  }

  /** Closes the tab as its person does. */
  async close(): Promise<void> {
    await this.#tab?.session.close();
    this.#tab?.crash.abort();
  }

  /** Ends typing and the tab at once: the run has failed. */
  giveUp(): void {
    this.#isOver = true;
    this.#hasGivenUp = true;
    this.crash();
  }

  #typePiece(session: EditorSession): void {
    this.#count += 1;
    const piece = pieceOf(this.#name, this.#count);
    const { doc, tr } = session.state;
    const starts: number[] = [];
    let isBelow = false;
    doc.forEach((node, offset) => {
      if (isBelow && node.isTextblock) starts.push(offset + 1);
      isBelow ||= node.type.name === "heading" && node.textContent === typedHeading;
    });
    const start = starts[Math.floor(Math.random() * starts.length)];
    if (start === undefined) throw new Error("the document has no block of text");
    this.#pending.push(piece);
    session.dispatch(tr.insertText(piece, start));
  }

  /** Takes up what a session says about the pieces that were typed. */
  #note(session: EditorSession): void {
    const orphans = session.orphans.join("\n");
    this.orphaned.push(...this.#pending.filter((piece) => orphans.includes(piece)));
    this.#pending = this.#pending.filter((piece) => !orphans.includes(piece));
    if (session.status.kind !== "saved") return;
    this.acknowledged.push(...this.#pending);
    this.#pending = [];
  }

  /** Returns null once the person has given up. */
  async #openTab(): Promise<EditorSession | null> {
    while (!this.#hasGivenUp) {
      const crash = new AbortController();
      const { signal } = crash;
      const connection = { documentId: this.#documentId, origin: () => this.#origin, timeoutMs, signal };
      const transport = httpTransport({ ...connection, headers: this.#person.headers });
      const newClientId = (): string => crypto.randomUUID();
      const session = await openSession({ transport, schema, plugins: [], newClientId }).catch(() => null);
      if (session !== null && !this.#hasGivenUp) {
        this.#tab = { session, crash };
        return session;
      }
      session?.end();
      await pause(retryMs);
    }
    return null;
  }
}
