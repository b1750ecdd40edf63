import type { MarkJSON, NodeJSON } from "markdown-codec";

const space = /[ \t\r\n\f]+/g;

/** Collects lines of text into paragraphs between other blocks, with white space as browsers show it. */
export class LineWriter {
  readonly blocks: NodeJSON[] = [];
  #line: NodeJSON[] = [];

  text(written: string, marks: MarkJSON[]): void {
    const isAtStart = this.#line.length === 0 || this.#endsWithSpace();
    const text = written.replaceAll(space, " ").slice(isAtStart && /^[ \t\r\n\f]/.test(written) ? 1 : 0);
    if (text !== "") this.#line.push({ type: "text", text, ...(marks.length === 0 ? {} : { marks }) });
  }

  add(node: NodeJSON): void {
    this.#line.push(node);
  }

  /** Ends the paragraph and adds blocks. */
  block(...blocks: NodeJSON[]): void {
    this.endLine();
    this.blocks.push(...blocks);
  }

  endLine(): void {
    const line = trimmedEnd(this.#line);
    this.#line = [];
    if (line.some((node) => node.type !== "text" || (node.text ?? "").trim() !== "")) {
      this.blocks.push({ type: "paragraph", content: line });
    }
  }

  #endsWithSpace(): boolean {
    const last = this.#line.at(-1);
    return last?.type === "hardBreak" || (last?.type === "text" && (last.text ?? "").endsWith(" "));
  }
}

/** Removes the breaks and the space at the end of a line, which browsers do not show. */
function trimmedEnd(line: NodeJSON[]): NodeJSON[] {
  const kept = [...line];
  for (let last = kept.at(-1); last !== undefined; last = kept.at(-1)) {
    if (last.type === "hardBreak" || last.text === " ") kept.pop();
    else if (last.type === "text" && last.text?.endsWith(" "))
      kept[kept.length - 1] = { ...last, text: last.text.slice(0, -1) };
    else break;
  }
  return kept;
}
