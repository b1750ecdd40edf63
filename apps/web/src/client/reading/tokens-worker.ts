import type { CodeLanguage } from "./code-languages.ts";
import { type ColoredPart, coloredParts, loadLanguage } from "./tokens.ts";

/** A text whose colors the page asks for. The worker has one at a time. */
export type ReadCode = { readonly text: string; readonly language: CodeLanguage };

/** An answer of the worker: that it reads the text, as the language is loaded; its colors; or that the language did not come. */
export type CodeAnswer = "reading" | "failed" | readonly ColoredPart[];

const answer = (message: CodeAnswer): void => globalThis.postMessage(message);

async function read({ text, language }: ReadCode): Promise<void> {
  try {
    await loadLanguage(language);
    answer("reading");
    answer(coloredParts(text, language));
  } catch {
    answer("failed");
  }
}

globalThis.addEventListener("message", ({ data }: MessageEvent<ReadCode>) => void read(data));
