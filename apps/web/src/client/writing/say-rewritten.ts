import { diff, parseMarkdown, serializeMarkdown } from "markdown-codec";
import type { Messages } from "../../messages/index.ts";
import { openDialog } from "../app/dialogs.ts";
import { notify } from "../app/notices.ts";
import { diffLines } from "../reading/diff-lines.ts";

/** Longer texts are not compared: the page would stand still while they are read. */
const mostCharacters = 20_000;

/** Says in how many places Markdown is saved in another form than it was written in, and offers to show them. */
export function sayRewritten(written: string, messages: Messages): void {
  if (written.length > mostCharacters) return;
  const changes = diff(written, serializeMarkdown(parseMarkdown(written)));
  const count = countPlaces(changes);
  if (count === 0) return;
  const run = (): void => openDialog({ name: "rewritten", diff: changes });
  notify({ text: messages.rewritten(count), action: { label: messages.rewrittenShow, run } });
}

/** Returns how many runs of lines differ by more than empty lines. */
export function countPlaces(changes: string): number {
  let count = 0;
  let isCounted = false;
  for (const { kind, text } of diffLines(changes)) {
    const isChanged = kind === "added" || kind === "removed";
    if (isChanged && !isCounted && text.trim() !== "") count += 1;
    isCounted = isChanged && (isCounted || text.trim() !== "");
  }
  return count;
}
