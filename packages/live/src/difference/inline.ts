import { type Node, Slice } from "prosemirror-model";
import type { Replacement } from "../replace-ranges-step.ts";
import { type ComparisonBudget, differingRuns } from "./align.ts";

// Scripts without spaces between words are compared character by character.
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]|[\p{L}\p{M}\p{N}_]+|\s+|./gsu;

/** A word, a space, another character, or a leaf. */
interface Token {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

/** Compares the inline content of two blocks word by word. Positions count from the start of the content. */
export function inlineDifference(before: Node, after: Node, budget: ComparisonBudget): readonly Replacement[] {
  const old = tokensOf(before);
  const next = tokensOf(after);
  const keysOf = (tokens: readonly Token[]) => tokens.map(({ key }) => key);
  return differingRuns(keysOf(old), keysOf(next), budget).map((run) => ({
    from: startOf(old, run.before.from, before),
    to: startOf(old, run.before.to, before),
    slice: new Slice(after.content.cut(startOf(next, run.after.from, after), startOf(next, run.after.to, after)), 0, 0),
  }));
}

function startOf(tokens: readonly Token[], index: number, parent: Node): number {
  return tokens[index]?.from ?? parent.content.size;
}

function tokensOf(parent: Node): readonly Token[] {
  const tokens: Token[] = [];
  parent.forEach((node, offset) => {
    if (node.text === undefined) {
      tokens.push({ key: `\n${JSON.stringify(node.toJSON())}`, from: offset, to: offset + node.nodeSize });
      return;
    }
    const marks = node.marks.length === 0 ? "" : JSON.stringify(node.marks);
    for (const { 0: word, index } of node.text.matchAll(WORD)) {
      tokens.push({ key: `${marks}${word}`, from: offset + index, to: offset + index + word.length });
    }
  });
  return tokens;
}
