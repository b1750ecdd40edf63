import type { Extension } from "../syntax/extension.ts";
import type { BlockRule, InlineRule } from "../syntax/rule.ts";
import { type Construct, type Constructs, wordsOf } from "./construct.ts";
import { isSignOf } from "./own-mark.ts";
import { inlineRule, lineRule, markerRule, pairMarkers } from "./rules.ts";

/** The syntax that these constructs add to that of this package. */
export function extensionOf({ byName, byDirective, marks }: Constructs): Extension {
  const constructs = [...byName.values()];
  const inline = constructs.filter(({ form }) => form === "inline");
  const lines = constructs.filter(({ form }) => form === "line");
  const inlineRules = inline.map((construct): [string, InlineRule] => [construct.open, inlineRule(construct)]);
  const markRules = marks.map((mark): [string, InlineRule] => [mark.delimiter, markerRule(mark)]);
  const blockRules = lines.map((construct): [string, BlockRule] => [construct.open, lineRule(construct)]);
  return {
    rules: {
      lines: bySign([...inlineRules, ...markRules]),
      blocks: bySign(blockRules),
      pairing: marks.length > 0 ? [pairMarkers] : [],
    },
    directives: new Set(byDirective.keys()),
    kinds: new Set([...inline, ...lines, ...marks].map(({ name }) => name)),
    signs: signsOf(
      [...inline, ...lines].map(({ open }) => open),
      marks.map(({ delimiter }) => delimiter),
    ),
    isMarker: (kind, source) => marks.some((mark) => mark.name === kind && isSignOf(mark, source)),
    words: (kind, source) => rawWords(byName.get(kind), source),
  };
}

function rawWords(construct: Construct | undefined, source: string): string {
  const attrs = construct?.attrsOf(bodyOf(construct, source));
  return construct && attrs ? wordsOf(construct, attrs) : "";
}

/** What a raw construct has between its signs. */
export function bodyOf({ open, close }: Construct, source: string): string {
  return source.slice(open.length, source.length - close.length);
}

function bySign<Rule>(rules: readonly [open: string, rule: Rule][]): { [sign: string]: Rule[] } {
  const found: { [sign: string]: Rule[] } = {};
  for (const [open, rule] of rules) {
    const list = found[open.charAt(0)] ?? [];
    list.push(rule);
    found[open.charAt(0)] = list;
  }
  return found;
}

const escaped = (text: string): string => text.replace(/[^A-Za-z0-9]/g, "\\$&");

// The first character of each construct where it begins one, and every character of the signs of marks.
function signsOf(opens: readonly string[], delimiters: readonly string[]): RegExp | undefined {
  const starts = opens.map((open) => `${escaped(open.charAt(0))}(?=${escaped(open.slice(1))})`);
  const runs = delimiters.map((delimiter) => {
    const sign = escaped(delimiter.charAt(0));
    return `${sign}(?=${sign})|(?<=${sign})${sign}`;
  });
  const all = [...starts, ...runs];
  return all.length > 0 ? new RegExp(all.join("|"), "g") : undefined;
}
