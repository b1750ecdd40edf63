import { NO_MARKS, sameMarks } from "../normal/marks.ts";
import { Reader } from "../read.ts";
import { holdsCjk } from "../syntax/cjk-friendly.ts";
import type { TokenizerFor } from "../syntax/tokenizers.ts";
import type { NodeJSON } from "../types.ts";
import { escapePipes } from "./escape.ts";
import type { InlineKind, ReadsAs } from "./reader-access.ts";

/** Tells whether the lines, read as the block that they are to be, give these nodes to every reader with these tokenizers. */
export function readsAsWith(tokenizerFor: TokenizerFor): ReadsAs {
  return (lines, kind, nodes, known) => {
    const source = sourceOf(lines, kind);
    if (!isRead(new Reader({ known, tokenizer: tokenizerFor() }), source, kind, nodes)) return false;
    return !holdsCjk(source) || isRead(new Reader({ known, tokenizer: tokenizerFor(true) }), source, kind, nodes);
  };
}

function isRead(reader: Reader, source: string, kind: InlineKind, nodes: readonly NodeJSON[]): boolean {
  const [block, ...others] = reader.read(source).content;
  if (block === undefined || others.length > 0) return false;
  const text = kind === "cell" ? block.content?.[0]?.content?.[0]?.content?.[0] : block;
  if (text?.type !== (kind === "heading" ? "heading" : "paragraph")) return false;
  if (kind === "heading" && text.attrs?.id !== null) return false;
  const read = text.content ?? [];
  return read.length === nodes.length && read.every((node, index) => sameInline(node, nodes[index]));
}

function sourceOf(lines: readonly string[], kind: InlineKind): string {
  const text = lines.join("\n");
  if (kind === "heading") return `# ${text}`;
  return kind === "cell" ? `| ${escapePipes(text)} |\n| --- |` : text;
}

function sameInline(a: NodeJSON, b: NodeJSON | undefined): boolean {
  if (b === undefined || a.type !== b.type || a.text !== b.text) return false;
  if (!sameMarks(a.marks ?? NO_MARKS, b.marks ?? NO_MARKS)) return false;
  return ["label", "src", "alt", "title", "kind", "source", "latex", "display", "id"].every(
    (name) => a.attrs?.[name] === b.attrs?.[name],
  );
}
