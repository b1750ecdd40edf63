import type { Node } from "prosemirror-model";
import type { DocJSON, SerializeOptions } from "./types.ts";
import { writeDocument } from "./write/document.ts";
import type { ReaderAccess } from "./write/reader-access.ts";

// Any name could be that of an emoji to the reader.
const noReader: ReaderAccess = {
  emojiFor: (name) => name || undefined,
  raw: {
    readBlock: (source, kind) => ({ type: "rawBlock", attrs: { kind, source } }),
    isInline: () => true,
  },
};

/**
 * Writes a document as Markdown without loading a reader: for a page that only saves. `parseMarkdown` reads the same
 * document from it as from the Markdown of the main entry, which is the same but where that entry has to read a line
 * again to be sure of it: here such a line has tags and entities. Sources of raw constructs are written as they are.
 *
 * @throws CodecError as `serializeMarkdown` of the main entry
 */
export function serializeMarkdown(doc: DocJSON | Node, options: SerializeOptions = {}): string {
  return writeDocument(doc, options, noReader);
}
