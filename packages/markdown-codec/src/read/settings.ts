import type { Labels } from "../label.ts";
import type { Tokenizer } from "../syntax/tokenizer.ts";
import type { Limits } from "../types.ts";

/** The settings of a reader. Only the tokenizer is required. */
export interface ReaderSettings {
  readonly tokenizer: Tokenizer;
  readonly limits?: Limits;
  /** The number of characters that the addresses and titles of all links may have together. */
  readonly addresses?: number;
  /** Labels of footnotes that are defined elsewhere. */
  readonly known?: Labels;
}
