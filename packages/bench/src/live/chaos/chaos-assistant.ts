import { setTimeout as pause } from "node:timers/promises";
import type { AssistantConnection, ToolAnswer } from "./assistant-connection.ts";
import { pieceOf } from "./pieces.ts";

const pauseMs = 1_000;
/** An assistant restores a revision each time it has gone through this many documents. */
const editsBetweenRestores = 5;
/** Words of every document of the run. */
const words = "Step copies files";

/** The work of an assistant, by the answers that it got. */
type Done = { searched: number; read: number; appended: number; replaced: number; restored: number };

/** An assistant that searches, reads, appends, replaces its section of a document and restores revisions. */
export class ChaosAssistant {
  /** The pieces that the service has: its answer said so. */
  readonly acknowledged: { readonly documentId: string; readonly piece: string }[] = [];
  /** The pieces of calls without an answer. */
  readonly uncertain: string[] = [];
  readonly done: Done = { searched: 0, read: 0, appended: 0, replaced: 0, restored: 0 };
  /** The calls that failed on their way. */
  unanswered = 0;
  /** The restores that it tried. */
  restores = 0;
  readonly #name: string;
  readonly #documentIds: readonly string[];
  readonly #connection: AssistantConnection;
  #count = 0;
  #isOver = false;

  /** @param name a letter: the pieces that it appends have it, those of its section have the capital letter */
  constructor(name: string, documentIds: readonly string[], connection: AssistantConnection) {
    this.#name = name;
    this.#documentIds = documentIds;
    this.#connection = connection;
  }

  /** The heading of the section that only this assistant replaces. */
  get heading(): string {
    return headingOf(this.#name);
  }

  stop(): void {
    this.#isOver = true;
  }

  async write(): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const id = this.#documentIds[turn % this.#documentIds.length] ?? "";
      await this.#search(id);
      await this.#append(id);
      await this.#replaceSection(id);
      if (turn % editsBetweenRestores === editsBetweenRestores - 1) await this.#restore(id);
      await pause(pauseMs);
    }
    await this.#connection.close();
  }

  async #search(id: string): Promise<void> {
    const found = await this.#call("search", { query: words, limit: 50 });
    if (found === undefined) return;
    const results = Array.isArray(found.results) ? found.results : [];
    if (!results.some((hit) => hit.id === id)) throw new Error(`a search for "${words}" did not find ${id}`);
    this.done.searched += 1;
  }

  /** Appends a piece. The next read has to know of it. */
  async #append(id: string): Promise<void> {
    const piece = this.#nextPiece(this.#name);
    const answer = await this.#call("append_to_document", { id, markdown: piece });
    this.#note(id, piece, answer);
    if (answer === undefined) return;
    this.done.appended += 1;
    const read = await this.#call("get_document", { id });
    if (read === undefined) return;
    if (Number(read.revision) < Number(answer.revision)) throw new Error(`${id} was read as it was before ${piece}`);
    this.done.read += 1;
  }

  async #replaceSection(id: string): Promise<void> {
    const piece = this.#nextPiece(this.#name.toUpperCase());
    const answer = await this.#call("replace_section", { id, heading: this.heading, markdown: piece });
    this.#note(id, piece, answer);
    if (answer !== undefined) this.done.replaced += 1;
  }

  /** Restores the newest revision before the current one, or an older one in turn. */
  async #restore(id: string): Promise<void> {
    const history = await this.#call("document_history", { id });
    const past = Array.isArray(history?.revisions) ? history.revisions.slice(1, 4) : [];
    const entry = past[this.done.restored % past.length];
    if (entry === undefined) return;
    this.restores += 1;
    const answer = await this.#call("restore_revision", { id, revision: entry.revision });
    if (answer !== undefined) this.done.restored += 1;
  }

  #nextPiece(writer: string): string {
    this.#count += 1;
    return pieceOf(writer, this.#count);
  }

  #note(documentId: string, piece: string, answer: object | undefined): void {
    if (answer === undefined) this.uncertain.push(piece);
    else this.acknowledged.push({ documentId, piece });
  }

  /** Returns the content of the answer; undefined without one. */
  async #call(name: string, parameters: Record<string, unknown>): Promise<Contents | undefined> {
    const answer = await this.#connection.call(name, parameters);
    if (answer.kind === "done") return answer.content;
    this.unanswered += 1;
    return undefined;
  }
}

type Contents = Extract<ToolAnswer, { kind: "done" }>["content"];

/** Returns the heading of the section of an assistant. */
export const headingOf = (assistant: string): string => `Notes of ${assistant}`;
