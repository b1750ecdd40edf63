import type { Messages } from "../../messages/index.ts";
import { failureText } from "../actions/failure-text.ts";
import { Failure } from "../api/failure.ts";
import { settingsWords } from "../app/settings-words.ts";

/** Returns why an import was not begun or its file not taken, in words for the reader. */
export function importFailure(error: unknown, messages: Messages): string {
  const own = error instanceof Failure ? settingsWords.imports.refusals[error.code] : undefined;
  return own ?? failureText(error, messages);
}
