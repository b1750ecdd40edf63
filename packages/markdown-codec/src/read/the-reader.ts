import { emojiFor } from "../emoji.ts";
import { theTokenizer } from "../syntax/the-tokenizer.ts";
import type { ReaderAccess } from "../write/reader-access.ts";
import { accessTo } from "./reader-access.ts";

/** The reader of this package with all emoji: what `parseMarkdown` reads. */
export const theReader: ReaderAccess = accessTo(theTokenizer, emojiFor);
