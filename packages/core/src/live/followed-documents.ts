import { FollowedLog, type StoredLog, stepsBetween } from "@kb/live";
import { normalize } from "markdown-codec";
import { type Body, type Labels, nextBodyOf, withServiceErrors } from "../documents/body.ts";
import { KnownForms } from "../documents/known-forms.ts";
import { KnownWords } from "../search/index-document.ts";
import { idleAfterMs } from "../threads/free-memory.ts";

/** A document as it is stored, with the labels of its search index. */
export type DeriveInput = { readonly log: StoredLog; readonly labels: Labels };

/** A body that is derived from the log, and the steps that bring the document into normal form; null where it has it already. */
export type DerivedBody = { readonly body: Body; readonly normalSteps: string | null };

/** The words of old versions are forgotten after this many versions, because each new line holds the text of its version. */
const versionsOfWords = 16;

/** A document of which one version after the other is derived. What a version has in common with the one before costs next to nothing. */
class FollowedDocument {
  readonly #log = new FollowedLog();
  readonly #forms = new KnownForms();
  #words = new KnownWords({ keepsLines: true });
  #versions = 0;

  /** Derives the body of the document after all batches of its log, in normal form. */
  derive({ log, labels }: DeriveInput): DerivedBody {
    this.#versions += 1;
    if (this.#versions % versionsOfWords === 0) this.#words = new KnownWords({ keepsLines: true });
    const written = this.#log.read(log);
    const known = { forms: this.#forms, words: this.#words };
    const normal = withServiceErrors("content", () => normalize(written, { known: this.#forms.blocks }).doc);
    const body = nextBodyOf(normal, labels, known);
    // A document in normal form comes back as it is.
    if (normal !== written) return { body, normalSteps: stepsBetween(written, normal) };
    this.#log.noteSaved(body.content);
    return { body, normalSteps: null };
  }
}

/** The documents that were derived last, by the content from which they go on. */
export class FollowedDocuments {
  readonly #mostCharacters: number;
  readonly #documents = new Map<string, FollowedDocument>();
  #characters = 0;
  #idle: NodeJS.Timeout | undefined;

  /** @param mostCharacters characters of the JSON of all of them together */
  constructor(mostCharacters: number) {
    this.#mostCharacters = mostCharacters;
  }

  /**
   * Derives the body of a document after all batches of its log, in normal form.
   * @throws {LogUnreadableError} for a log that cannot be replayed; {ServiceError} `payload_too_large` for too many nodes
   */
  derive(input: DeriveInput): DerivedBody {
    const document = this.#take(input.log.content) ?? new FollowedDocument();
    const derived = document.derive(input);
    if (derived.normalSteps === null) this.#keep(derived.body.content, document);
    return derived;
  }

  #take(content: string): FollowedDocument | undefined {
    const document = this.#documents.get(content);
    if (document !== undefined) this.#forget(content);
    return document;
  }

  #keep(content: string, document: FollowedDocument): void {
    if (content.length > this.#mostCharacters) return;
    this.#forget(content);
    this.#documents.set(content, document);
    this.#characters += content.length;
    for (const oldest of this.#documents.keys()) {
      if (this.#characters <= this.#mostCharacters) break;
      this.#forget(oldest);
    }
    this.#forgetWhenIdle();
  }

  #forget(content: string): void {
    if (this.#documents.delete(content)) this.#characters -= content.length;
  }

  #forgetWhenIdle(): void {
    this.#idle ??= setTimeout(() => {
      this.#documents.clear();
      this.#characters = 0;
    }, idleAfterMs).unref();
    this.#idle.refresh();
  }
}
