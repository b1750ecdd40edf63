import type { EmojiLookup } from "../syntax/emoji-rule.ts";
import type { TokenizerFor } from "../syntax/tokenizers.ts";
import type { ReaderAccess } from "../write/reader-access.ts";
import { readsAsWith } from "../write/verify.ts";
import { rawSyntaxWith } from "./raw-syntax.ts";

/** The access that a writer has to a reader with these tokenizers, which know these emoji. */
export function accessTo(tokenizerFor: TokenizerFor, emojiFor: EmojiLookup): ReaderAccess {
  return { emojiFor, readsAs: readsAsWith(tokenizerFor), raw: rawSyntaxWith(tokenizerFor) };
}
