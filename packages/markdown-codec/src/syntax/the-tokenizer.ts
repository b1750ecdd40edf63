import { emojiFor } from "../emoji.ts";
import { createTokenizer, type Tokenizer } from "./tokenizer.ts";

let plain: Tokenizer | undefined;
let friendly: Tokenizer | undefined;

/** The tokenizer with all emoji, made when it is first used. */
export function theTokenizer(cjkFriendly = false): Tokenizer {
  if (cjkFriendly) {
    friendly ??= createTokenizer({ emojiFor, cjkFriendly });
    return friendly;
  }
  plain ??= createTokenizer({ emojiFor, cjkFriendly });
  return plain;
}
