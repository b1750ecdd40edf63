import type { InlineRule } from "./rule.ts";

/**
 * Makes one rule of all rules for lines of text: markdown-it asks every rule at every sign, this one only those that the
 * sign can begin. `text` takes what none of them takes.
 */
export function dispatchInline(
  text: InlineRule,
  rules: { readonly [sign: string]: readonly InlineRule[] },
): InlineRule {
  const table: (readonly InlineRule[] | undefined)[] = Array.from({ length: 128 });
  for (const [sign, list] of Object.entries(rules)) table[sign.charCodeAt(0)] = list;
  return (state, silent) => {
    const list = table[state.src.charCodeAt(state.pos)];
    if (list !== undefined) for (const rule of list) if (rule(state, silent)) return true;
    return text(state, silent);
  };
}
