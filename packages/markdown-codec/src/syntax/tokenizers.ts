import type { EmojiLookup } from "./emoji-rule.ts";
import { type Extension, extension } from "./extension.ts";
import { createTokenizer, type Tokenizer } from "./tokenizer.ts";

/** Returns the tokenizer with the extension of the call that runs. */
export type TokenizerFor = (cjkFriendly?: boolean) => Tokenizer;

const NONE = {};

/** Tokenizers that know these emoji, each made when it is first used. */
export function tokenizersWith(emojiFor: EmojiLookup): TokenizerFor {
  const made: [plain: WeakMap<object, Tokenizer>, friendly: WeakMap<object, Tokenizer>] = [
    new WeakMap(),
    new WeakMap(),
  ];
  return (cjkFriendly = false) => {
    const added: Extension | undefined = extension();
    const tokenizers = made[cjkFriendly ? 1 : 0];
    let tokenizer = tokenizers.get(added ?? NONE);
    if (tokenizer === undefined) {
      tokenizer = createTokenizer({ emojiFor, cjkFriendly, added: added?.rules });
      tokenizers.set(added ?? NONE, tokenizer);
    }
    return tokenizer;
  };
}
