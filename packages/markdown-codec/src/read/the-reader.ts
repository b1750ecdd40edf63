import { emojiFor } from "../emoji.ts";
import type { ReaderAccess } from "../write/reader-access.ts";
import { readsAs } from "../write/verify.ts";
import { rawSyntax } from "./raw-syntax.ts";

/** The reader of this package with all emoji: what `parseMarkdown` reads. */
export const theReader: ReaderAccess = { emojiFor, readsAs, raw: rawSyntax };
