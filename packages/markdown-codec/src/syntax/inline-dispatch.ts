import type MarkdownIt from "markdown-it";
import type { StateInline } from "markdown-it";

/** A rule for a line of text, as markdown-it calls it. */
export type InlineRule = (state: StateInline, silent: boolean) => boolean;

/**
 * Makes one rule of all rules for lines of text: markdown-it asks every rule at every sign, this one only those that the
 * sign can begin. `text` takes what none of them takes.
 */
export function dispatchInline(
  md: MarkdownIt,
  text: InlineRule,
  rules: { readonly [sign: string]: readonly InlineRule[] },
): void {
  const table: (readonly InlineRule[] | undefined)[] = Array.from({ length: 128 });
  for (const [sign, list] of Object.entries(rules)) table[sign.charCodeAt(0)] = list;
  md.inline.ruler.enableOnly([]);
  md.inline.ruler.push("inline", (state, silent) => {
    const list = table[state.src.charCodeAt(state.pos)];
    if (list !== undefined) for (const rule of list) if (rule(state, silent)) return true;
    return text(state, silent);
  });
}
