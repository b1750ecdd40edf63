import type MarkdownIt from "markdown-it";
import { emojiFor } from "../emoji.ts";
import { createTokenizer } from "./tokenizer.ts";

let plain: MarkdownIt | undefined;
let friendly: MarkdownIt | undefined;

/** The tokenizer with all emoji, made when it is first used. */
export function theTokenizer(cjkFriendly = false): MarkdownIt {
  if (cjkFriendly) {
    friendly ??= createTokenizer({ emojiFor, cjkFriendly });
    return friendly;
  }
  plain ??= createTokenizer({ emojiFor, cjkFriendly });
  return plain;
}
