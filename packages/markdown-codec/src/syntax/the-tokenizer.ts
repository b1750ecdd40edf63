import { emojiFor } from "../emoji.ts";
import { type TokenizerFor, tokenizersWith } from "./tokenizers.ts";

/** The tokenizer with all emoji and the extension of the call that runs. */
export const theTokenizer: TokenizerFor = tokenizersWith(emojiFor);
