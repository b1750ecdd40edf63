import type { Node } from "prosemirror-model";
import type { EditorState } from "prosemirror-state";
import { leafText } from "../leaf-text.ts";
import { abandon } from "../plugin.ts";
import type { SessionListeners, SessionStatus } from "./status.ts";

const lengthOf = (texts: readonly string[]): number => texts.join("").length;

/** The document as a client had it when text of its own began to lose its place. */
type Version = {
  readonly doc: Node;
  /** The length of what the client had written then. */
  readonly written: number;
  /** Those of the kept texts that the document has. */
  texts: readonly string[];
};

/**
 * Text of a client that has no place in the document any more. Where that is more than a third of what the client wrote while the service
 * could not be reached, or would not take it, the document as the client had it is offered as a whole.
 */
export class Orphans {
  readonly #listeners: SessionListeners;
  #texts: readonly string[];
  #isAway: boolean;
  /** The document before the first loss of a time away; what is written later is not in it, and begins another one. */
  #before: Version | null = null;
  #offered: Version | null = null;

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
    return this.#offered?.doc ?? null;
  }

  /** Follows whether the client is away: until the service has everything. */
  follow({ kind }: Pick<SessionStatus, "kind">): void {
    if (kind === "waiting") this.#isAway = true;
    if (kind !== "saved") return;
    this.#isAway = false;
    this.#before = null;
  }

  /** Follows that the client has written. */
  noteWriting(): void {
    this.#before = null;
  }

  /** Takes what has no place after a change; the state is the one before. */
  keep(state: EditorState, texts: readonly string[], isAway: boolean): void {
    const kept = texts.filter((text) => text.trim() !== "");
    if (kept.length === 0) return;
    this.#isAway ||= isAway;
    if (this.#isAway) {
      this.#before ??= { doc: state.doc, written: lengthOf(abandon(state).orphans), texts: [] };
      const { doc, written } = this.#before;
      const inVersion = doc.textBetween(0, doc.content.size, "\n", leafText);
      this.#before.texts = [...this.#before.texts, ...kept.filter((text) => inVersion.includes(text))];
      if (3 * lengthOf(this.#before.texts) > written) this.#offered ??= this.#before;
    }
    this.#set([...this.#texts, ...kept]);
  }

  /** Forgets a text, or the own version with the texts that it has. */
  dismiss(kept: string | Node): void {
    let gone: readonly unknown[] = [kept];
    if (kept === this.#offered?.doc) {
      gone = this.#offered.texts;
      this.#before = null;
      this.#offered = null;
    }
    this.#set(this.#texts.filter((text) => !gone.includes(text)));
  }

  #set(texts: readonly string[]): void {
    this.#texts = texts;
    if (texts.length === 0) this.#offered = null;
    this.#listeners.emit("orphans");
  }
}
