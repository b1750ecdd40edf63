import { getHeapStatistics } from "node:v8";
import { contentOf, FollowedLog, type StoredLog, stepsBetween } from "@kb/live";
import { normalize } from "markdown-codec";
import { type Body, bodyOf, type Labels, nextBodyOf, withServiceErrors } from "../documents/body.ts";
import { KnownForms } from "../documents/known-forms.ts";
import { KnownWords } from "../search/index-document.ts";
import { idleAfterMs } from "../threads/free-memory.ts";

/** A document as it is stored, with the labels of its search index. */
export type DeriveInput = { readonly id: string; readonly log: StoredLog; readonly labels: Labels };

/** A body that is derived from the log, and the steps that bring the document into normal form; null where it has it already. */
export type DerivedBody = { readonly body: Body; readonly normalSteps: string | null };

/** Derives the body of a document after all batches of its log, in normal form. */
export function deriveAnew({ log, labels }: DeriveInput): DerivedBody {
  const written = contentOf(log);
  const normal = withServiceErrors("content", () => normalize(written).doc);
  const body = bodyOf(normal, labels);
  // A document in normal form comes back as it is.
  return { body, normalSteps: normal === written ? null : stepsBetween(written, normal) };
}

/** The words of old versions are forgotten after this many versions, because each new line holds the text of its version. */
const versionsOfWords = 16;
/** More words than these are not remembered: each takes about 500 bytes. */
const mostWords = 50_000;

/** A document of which one version after the other is derived. Blocks that a version shares with the one before cost next to nothing. */
class FollowedDocument {
  readonly #log = new FollowedLog();
  readonly #forms = new KnownForms();
  #words = new KnownWords({ keepsLines: true });
  #versions = 0;

  /** Derives the same as `deriveAnew`. */
  derive({ log, labels }: DeriveInput): DerivedBody {
    const written = this.#log.read(log);
    const known = { forms: this.#forms, words: this.#words };
    const normal = withServiceErrors("content", () => normalize(written, { known: this.#forms.blocks }).doc);
    const body = nextBodyOf(normal, labels, known);
    const normalSteps = normal === written ? null : stepsBetween(written, normal);
    this.#log.noteSaved(body.content, normalSteps);
    this.#versions += 1;
    const isFull = this.#words.lexemes.size > mostWords || this.#versions % versionsOfWords === 0;
    if (isFull) this.#words = new KnownWords({ keepsLines: true });
    return { body, normalSteps };
  }
}

/** Characters of the JSON of a document that is followed. Each takes up to 20 bytes of heap, beside the words. */
const mostCharacters = 3_000_000;
/** Heap in use with which nothing is kept: another version of everything still has room in the heap of a thread. */
const mostBytes = 128 * 1024 ** 2;

/**
 * Derives documents in a thread, and keeps one of them: the one that it is given twice in succession, until it is idle or has another task.
 * A document that is derived once costs no more than without.
 */
export class LastDocument {
  #id: string | undefined;
  #followed: FollowedDocument | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #heapInUse: () => number;

  constructor(heapInUse: () => number = () => getHeapStatistics().used_heap_size) {
    this.#heapInUse = heapInUse;
  }

  /**
   * Derives the body of a document after all batches of its log, in normal form.
   * @throws {LogUnreadableError} for a log that cannot be replayed; {ServiceError} `payload_too_large` for too many nodes
   */
  derive(input: DeriveInput): DerivedBody {
    const isSame = this.#id === input.id && this.#heapInUse() <= mostBytes;
    const followed = isSame ? (this.#followed ?? new FollowedDocument()) : undefined;
    this.forget();
    const isFollowed = followed !== undefined && input.log.content.length <= mostCharacters;
    const derived = isFollowed ? followed.derive(input) : deriveAnew(input);
    this.#id = input.id;
    if (isFollowed) this.#followed = followed;
    this.#idle = setTimeout(() => this.forget(), idleAfterMs).unref();
    return derived;
  }

  forget(): void {
    clearTimeout(this.#idle);
    this.#id = undefined;
    this.#followed = undefined;
  }
}
