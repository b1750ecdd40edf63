import type { DocJSON, NodeJSON } from "markdown-codec";
import type { Node } from "prosemirror-model";
import { LiveDocument } from "./live-document.ts";
import type { StoredLog } from "./log.ts";

/**
 * Reads the log of one document again and again, each time from the content that was last saved of it. The outermost blocks that no batch
 * has changed are the same objects as before, and cost next to nothing.
 */
export class FollowedLog {
  #saved: { readonly content: string; readonly document: LiveDocument } | undefined;
  #last: LiveDocument | undefined;
  readonly #blocks = new WeakMap<Node, NodeJSON>();

  /** Returns the content of the document after all batches, as `contentOf`. It must not be changed. @throws {LogUnreadableError} */
  read({ content, batches }: StoredLog): DocJSON {
    const saved = this.#saved?.content === content ? this.#saved.document : LiveDocument.read(content);
    // Another document does not need the memory of both.
    this.#saved = undefined;
    this.#last = saved.after(batches);
    return this.#last.toSharedContent(this.#blocks);
  }

  /** Notes the text as which what was read last is stored, after steps that bring it into normal form, if it needs any. */
  noteSaved(content: string, normalSteps: string | null): void {
    const document = normalSteps === null ? this.#last : this.#last?.after([normalSteps]);
    this.#saved = document === undefined ? undefined : { content, document };
  }
}
