import type { Node } from "prosemirror-model";
import { cleanText } from "./normal/text.ts";
import { readText } from "./read/read-text.ts";
import { accessTo } from "./read/reader-access.ts";
import { requireText } from "./shape.ts";
import { mayHoldShortcode } from "./syntax/emoji-rule.ts";
import { type TokenizerFor, tokenizersWith } from "./syntax/tokenizers.ts";
import type { DocJSON, ParseOptions, SerializeOptions } from "./types.ts";
import { writeDocument } from "./write/document.ts";

const without = /* @__PURE__ */ tokenizersWith(() => undefined);
let withEmoji: TokenizerFor | undefined;

// Any name could be that of an emoji to the reader of what is written.
const anyName = (name: string): string | undefined => name || undefined;
const careful = /* @__PURE__ */ accessTo(/* @__PURE__ */ tokenizersWith(anyName), anyName);

/**
 * `parseMarkdown` of the main entry, which loads the names of emoji when a text has a `:name:` for the first time. Rejects with what
 * the main entry throws, or with the error of the import where the names cannot be loaded.
 */
export async function parseMarkdown(text: string, options: ParseOptions = {}): Promise<DocJSON> {
  requireText(text, "the Markdown");
  const tokenizerFor = mayHoldShortcode(cleanText(text)) ? await tokenizersWithEmoji() : without;
  return readText(text, options, tokenizerFor(options.cjkFriendly));
}

async function tokenizersWithEmoji(): Promise<TokenizerFor> {
  const { emojiFor } = await import("./emoji.ts");
  withEmoji ??= tokenizersWith(emojiFor);
  return withEmoji;
}

/**
 * `serializeMarkdown` of the main entry without the names of emoji: it escapes every `:name:` in a text, those that are no emoji
 * too.
 *
 * @throws CodecError as `serializeMarkdown` of the main entry
 */
export function serializeMarkdown(doc: DocJSON | Node, options: SerializeOptions = {}): string {
  return writeDocument(doc, options, careful);
}
