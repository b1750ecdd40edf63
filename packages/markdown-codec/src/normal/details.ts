import { unescapeHtml } from "../html/escape.ts";
import type { Attrs, NodeJSON } from "../types.ts";
import { cleanText } from "./text.ts";
import { settleTight } from "./tight.ts";

const OPENING = /^<details( open(?:="")?)?>[ \t]*\n?[ \t]*(?:<summary>([^<>\n]*)<\/summary>)?[ \t]*$/;
const CLOSING = /^<\/details>[ \t]*$/;

function sourceOf({ type, attrs }: NodeJSON): string {
  return type === "rawBlock" && attrs?.kind === "html" ? cleanText(String(attrs.source)).trim() : "";
}

// The attributes that an opening tag says, with its summary as text; undefined where it says more than that.
function openingOf(node: NodeJSON): Attrs | undefined {
  const source = sourceOf(node);
  if (!source.startsWith("<details")) return undefined;
  const [whole, open, summary = ""] = OPENING.exec(source) ?? [];
  if (whole === undefined) return undefined;
  if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(summary)) return undefined;
  return { summary: unescapeHtml(summary).trim() || null, open: open !== undefined };
}

/** True for a raw block that ends details, if some are open. */
export function endsDetails(node: NodeJSON): boolean {
  return node.type === "rawBlock" && CLOSING.test(sourceOf(node));
}

/** True for a raw block that would begin or end details where it stands among their blocks. */
export function isDetailsTag(node: NodeJSON): boolean {
  return endsDetails(node) || openingOf(node) !== undefined;
}

interface Open {
  readonly opening: NodeJSON;
  readonly attrs: Attrs;
  readonly around: NodeJSON[];
}

/**
 * The blocks with details as nodes: what stands between `<details>` and the `</details>` that belongs to it. A tag
 * without its partner stays as it is. `enter` receives the number of details around those found.
 */
export function pairDetails(nodes: NodeJSON[], enter: (depth: number) => void): NodeJSON[] {
  if (!nodes.some(endsDetails)) return nodes;
  let isPaired = false;
  const open: Open[] = [];
  let content: NodeJSON[] = [];
  for (const node of nodes) {
    const attrs = openingOf(node);
    const details = endsDetails(node) ? open.pop() : undefined;
    if (attrs !== undefined) {
      open.push({ opening: node, attrs, around: content });
      content = [];
    } else if (details === undefined) content.push(node);
    else {
      enter(open.length);
      isPaired = true;
      const inner = content.length > 0 ? content.map((child, index) => loose(child, content[index - 1])) : EMPTY;
      content = details.around;
      content.push({ type: "details", attrs: details.attrs, content: inner });
    }
  }
  if (!isPaired) return nodes;
  // The tags that nothing closes stand where they stood.
  for (const { opening, around } of open.reverse()) {
    around.push(opening);
    for (const node of content) around.push(node);
    content = around;
  }
  return content.map((node, index) => loose(node, content[index - 1]));
}

const EMPTY: NodeJSON[] = [{ type: "paragraph" }];

function loose(node: NodeJSON, before: NodeJSON | undefined): NodeJSON {
  return node.type === "rawBlock" ? settleTight(node, before) : node;
}

/** The lines that begin details. */
export function writeDetailsHead({ summary, open }: Attrs): readonly string[] {
  const tag = open === true ? "<details open>" : "<details>";
  if (typeof summary !== "string") return [tag];
  const text = summary.replace(/[&<>]/g, (sign) => (sign === "&" ? "&amp;" : sign === "<" ? "&lt;" : "&gt;"));
  return [tag, `<summary>${text}</summary>`];
}
