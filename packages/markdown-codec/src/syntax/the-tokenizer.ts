import { emojiFor } from "../emoji.ts";
import { type Extension, extension } from "./extension.ts";
import { createTokenizer, type Tokenizer } from "./tokenizer.ts";

const NONE = {};
const made: [plain: WeakMap<object, Tokenizer>, friendly: WeakMap<object, Tokenizer>] = [new WeakMap(), new WeakMap()];

/** The tokenizer with all emoji and the extension of the call that runs, made when it is first used. */
export function theTokenizer(cjkFriendly = false): Tokenizer {
  const added: Extension | undefined = extension();
  const tokenizers = made[cjkFriendly ? 1 : 0];
  let tokenizer = tokenizers.get(added ?? NONE);
  if (tokenizer === undefined) {
    tokenizer = createTokenizer({ emojiFor, cjkFriendly, added: added?.rules });
    tokenizers.set(added ?? NONE, tokenizer);
  }
  return tokenizer;
}
