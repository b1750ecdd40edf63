import type { Attrs, MarkJSON, NodeJSON } from "../types.ts";
import { isCode, NO_MARKS, sameMarks } from "./marks.ts";
import { cleanText } from "./text.ts";

/** No nodes: what a block without content holds. */
export const NOTHING: NodeJSON[] = [];

/** A text node of this package's shape: no key for marks where there are none. */
export function textNode(text: string, marks: MarkJSON[] = NO_MARKS): NodeJSON {
  return marks.length === 0 ? { type: "text", text } : { type: "text", marks, text };
}

/** A block of code with this text. */
export function codeOf(text: string): NodeJSON {
  return { type: "codeBlock", attrs: { language: null }, content: [textNode(text)] };
}

/** A node of a line that is no text, of this package's shape. */
export function atomNode(type: string, attrs: Attrs | undefined, marks: MarkJSON[]): NodeJSON {
  return { type, ...(attrs ? { attrs } : undefined), ...(marks.length > 0 ? { marks } : undefined) };
}

/** The text of a span as Markdown can hold it with these marks. */
export function cleanSpan(text: string, marks: MarkJSON[]): string {
  const clean = cleanText(text);
  return isCode(marks) ? clean.replace(/[\n\u2028\u2029]/g, " ") : clean;
}

/**
 * Adds a cleaned text, with a hard break for each of its line ends; a text with equal marks right before takes it in.
 * `node` is the text as a node, where there is one.
 */
export function pushText(text: string, marks: MarkJSON[], out: NodeJSON[], node?: NodeJSON): void {
  const last = out.at(-1);
  if (text.includes("\n")) {
    text.split("\n").forEach((line, index) => {
      if (index > 0) out.push({ type: "hardBreak" });
      pushText(line, marks, out);
    });
  } else if (text === "") return;
  else if (last?.type === "text" && sameMarks(last.marks ?? NO_MARKS, marks)) {
    out[out.length - 1] = textNode(last.text + text, last.marks);
  } else out.push(node ?? textNode(text, marks));
}
