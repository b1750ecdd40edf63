import type { Labels } from "../label.ts";
import type { Tokenizer } from "../syntax/tokenizer.ts";
import type { Limits } from "../types.ts";

/** What a reader works with. Only the tokenizer has to be given. */
export interface ReaderSettings {
  readonly tokenizer: Tokenizer;
  readonly limits?: Limits;
  /** The number of characters that the addresses and titles of all links may have together. */
  readonly addresses?: number;
  /** Labels of footnotes that are defined elsewhere. */
  readonly known?: Labels;
}
