import type { StateBlock } from "markdown-it";
import { BlockParser } from "./block-parser.ts";
import { environmentOf } from "./environment.ts";
import { blockStart } from "./nesting.ts";
import type { BlockRule } from "./rule.ts";
import { wholeTable } from "./whole-table.ts";

/** The rules for each first character of a line, in their order. */
export type RulesByCharacter = { readonly [characters: string]: readonly BlockRule[] };

/** The rules that `blockParser` arranges. */
export interface BlockRules {
  /** Asked first, but only where the line begins none of `noHeads`. */
  readonly table: BlockRule;
  readonly code: BlockRule;
  readonly definitionList: BlockRule;
  /** Rules that can begin a block where no paragraph continues. */
  readonly starts: RulesByCharacter;
  /** Rules that can end a paragraph, or a quote that continues without `>`. */
  readonly interrupts: RulesByCharacter;
  /** Those of GFM among them: a line that begins such a block is no head of a table. */
  readonly noHeads: RulesByCharacter;
  /** Rules that can end a list item, besides the next item. */
  readonly endsItem: RulesByCharacter;
}

const NO_RULES: readonly BlockRule[] = [];

/** Finds the rules of a character by its code: all of them are ASCII. */
function byCode(rules: RulesByCharacter): readonly (readonly BlockRule[])[] {
  const table: (readonly BlockRule[])[] = Array.from({ length: 128 }, () => NO_RULES);
  for (const [characters, list] of Object.entries(rules)) {
    for (const character of characters) table[character.charCodeAt(0)] = list;
  }
  return table;
}

function firstCode(state: StateBlock, line: number): number {
  return state.src.charCodeAt((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0));
}

// True where a line begins a block by one of these rules.
function beginsOneOf(rules: RulesByCharacter): BlockRule {
  const table = byCode(rules);
  return (state, line, endLine) => {
    for (const rule of table[firstCode(state, line)] ?? NO_RULES) if (rule(state, line, endLine, true)) return true;
    return false;
  };
}

/**
 * Returns a parser that makes one rule of all rules for blocks. markdown-it asks every rule at every line of a paragraph,
 * twice; this one asks only those that the first character of a line can begin, once.
 */
export function blockParser(rules: BlockRules): BlockParser {
  const { code, definitionList } = rules;
  const starts = byCode(rules.starts);
  const begins = beginsOneOf(rules.interrupts);
  const table = wholeTable(rules.table, outsideParagraph(beginsOneOf(rules.noHeads)));
  const endsParagraph: BlockRule = (state, line, endLine) =>
    begins(state, line, endLine, true) || table(state, line, endLine, true);
  const endsQuote: BlockRule = (state, line, endLine) => {
    blockStart(state, line, endLine, true);
    return begins(state, line, endLine, true);
  };
  const endsItem = beginsOneOf(rules.endsItem);
  const text = textBlock(endsParagraph);

  const block: BlockRule = (state, line, endLine) => {
    blockStart(state, line, endLine, false);
    if ((state.sCount[line] ?? 0) - state.blkIndent >= 4) return code(state, line, endLine, false);
    if (table(state, line, endLine, false)) return true;
    for (const rule of starts[firstCode(state, line)] ?? NO_RULES) if (rule(state, line, endLine, false)) return true;
    return definitionList(state, line, endLine, false) || text(state, line, endLine, false);
  };
  return new BlockParser(block, {
    paragraph: [endsParagraph],
    reference: [endsParagraph],
    blockquote: [endsQuote],
    list: [endsItem],
  });
}

// The rule where no paragraph is open: a list from 2 begins there. It is asked twice about a line, and answers the same.
function outsideParagraph(rule: BlockRule): BlockRule {
  return (state, line, endLine, silent) => {
    const { parentType } = state;
    state.parentType = "root";
    const answer = rule(state, line, endLine, silent);
    state.parentType = parentType;
    return answer;
  };
}

/** A paragraph, or a heading where a line of `=` or `-` follows: CommonMark's sections 4.3 and 4.8 in one walk. */
function textBlock(endsParagraph: BlockRule): BlockRule {
  return (state, startLine, endLine) => {
    const { parentType } = state;
    state.parentType = "paragraph";
    let line = startLine + 1;
    let level = 0;
    for (; line < endLine && !state.isEmpty(line); line++) {
      const indent = state.sCount[line] ?? 0;
      // A line that is indented further goes on, as does one of which the quote around has found that.
      if (indent - state.blkIndent > 3) continue;
      if (indent >= state.blkIndent) level = underline(state, line);
      if (level > 0) break;
      if (indent >= 0 && endsParagraph(state, line, endLine, true)) break;
    }
    state.parentType = parentType;
    const source = state.getLines(startLine, line, state.blkIndent, false);
    state.line = level > 0 ? line + 1 : line;
    environmentOf(state).text(trimmed(source), level, startLine + 1);
    return true;
  };
}

// Only what Markdown calls white space: JavaScript has more of it.
function trimmed(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;

// The level of the heading that this line ends, or 0.
function underline(state: StateBlock, line: number): number {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  const code = state.src.charCodeAt(start);
  if (code !== 0x2d && code !== 0x3d) return 0;
  const end = state.skipSpaces(state.skipChars(start, code));
  if (end < (state.eMarks[line] ?? 0)) return 0;
  return code === 0x3d ? 1 : 2;
}
