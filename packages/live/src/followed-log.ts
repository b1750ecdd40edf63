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
    this.#last = saved.after(batches);
    return this.#last.toSharedContent(this.#blocks);
  }

  /** Notes the text as which what was read last is stored. */
  noteSaved(content: string): void {
    this.#saved = this.#last === undefined ? undefined : { content, document: this.#last };
  }
}
