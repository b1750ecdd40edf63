import { normalize } from "../normalize.ts";
import { parseMarkdown } from "../parse.ts";
import type { DocJSON, NodeJSON, ParseOptions } from "../types.ts";

/** The fragment of an edit in normal form. */
export function readFragment(fragment: DocJSON | string, options: ParseOptions): DocJSON {
  return typeof fragment === "string" ? parseMarkdown(fragment, options) : normalize(fragment).doc;
}

const ROW = /^\|.*\|$/;
const DELIMITERS = /^[|:\s-]*$/;

/**
 * The rows that Markdown holds nothing but (`| a | b |`), for a table that they come to stand beside; undefined for
 * anything else, and for rows that do not fit.
 */
export function readRows(
  fragment: DocJSON | string,
  table: NodeJSON | undefined,
  options: ParseOptions,
): NodeJSON[] | undefined {
  const head = table?.type === "table" ? table.content?.[0]?.content : undefined;
  if (typeof fragment !== "string" || head === undefined) return undefined;
  const lines = fragment.trim().split("\n");
  if (!lines.every((line) => ROW.test(line.trim()) && !DELIMITERS.test(line))) return undefined;
  const delimiters = head.map(({ attrs }) => (attrs?.align === "center" ? ":-:" : delimiterOf(attrs?.align)));
  const source = [`|${" h |".repeat(head.length)}`, `| ${delimiters.join(" | ")} |`, ...lines].join("\n");
  const [read, ...others] = parseMarkdown(source, options).content;
  const isTable = read?.type === "table" && others.length === 0;
  return isTable ? read.content?.slice(1) : undefined;
}

function delimiterOf(align: unknown): string {
  if (align === "left") return ":--";
  return align === "right" ? "--:" : "---";
}
