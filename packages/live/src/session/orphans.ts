import type { Node } from "prosemirror-model";
import type { EditorState } from "prosemirror-state";
import { abandon } from "../plugin.ts";
import type { SessionListeners, SessionStatus } from "./status.ts";

const lengthOf = (texts: readonly string[]): number => texts.join("").length;

/**
 * Text of a client that has no place in the document any more. Where that is more than a third of what the client wrote while the service
 * could not be reached, or would not take it, the document as the client had it is offered as a whole.
 */
export class Orphans {
  readonly #listeners: SessionListeners;
  #texts: readonly string[];
  #ownVersion: Node | null = null;
  #isAway: boolean;
  /** The document before the first loss of a time away, and the length of what had been written then. */
  #before: { readonly doc: Node; readonly written: number } | null = null;
  #lost = 0;

  constructor(listeners: SessionListeners, texts: readonly string[], isAway: boolean) {
    this.#listeners = listeners;
    this.#texts = texts;
    this.#isAway = isAway;
  }

  /** Oldest first. */
  get texts(): readonly string[] {
    return this.#texts;
  }

  /** The document as the client had it; null where there is no reason to offer it. */
  get ownVersion(): Node | null {
    return this.#ownVersion;
  }

  /** Follows whether the client is away: until the service has everything. */
  follow({ kind }: Pick<SessionStatus, "kind">): void {
    if (kind === "waiting") this.#isAway = true;
    if (kind !== "saved") return;
    this.#isAway = false;
    this.#before = null;
    this.#lost = 0;
  }

  /** Takes what has no place after a change; the state is the one before. */
  keep(state: EditorState, texts: readonly string[], isAway: boolean): void {
    const kept = texts.filter((text) => text.trim() !== "");
    if (kept.length === 0) return;
    this.#isAway ||= isAway;
    if (this.#isAway) {
      this.#before ??= { doc: state.doc, written: lengthOf(abandon(state).orphans) };
      this.#lost += lengthOf(kept);
      if (3 * this.#lost > this.#before.written) this.#ownVersion ??= this.#before.doc;
    }
    this.#set([...this.#texts, ...kept]);
  }

  /** Forgets a text, or the own version. */
  dismiss(kept: string | Node): void {
    if (kept === this.#ownVersion) this.#ownVersion = null;
    this.#set(this.#texts.filter((text) => text !== kept));
  }

  #set(texts: readonly string[]): void {
    this.#texts = texts;
    if (texts.length === 0) this.#ownVersion = null;
    this.#listeners.emit("orphans");
  }
}
