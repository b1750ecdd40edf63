import { runInPlace } from "./run-in-place.ts";
import type { SuggestedEntry, SuggestionSource } from "./suggestion-state.ts";

const shown = 24;
/** Shorter names stand in faces such as `:D`. */
const shortest = 2;
const frequent = ["smile", "+1", "tada", "heart", "rocket", "eyes", "white_check_mark", "warning", "bulb", "question"];

/**
 * Returns the source of emoji, found by the words of the names that Markdown has for them. Their table is loaded at once, so that a
 * name that is typed quickly finds it there; a question asks for it again if that failed.
 */
export function emojiSource(label: string): SuggestionSource {
  let names: ReadonlyMap<string, string> | undefined;
  const load = async (): Promise<void> => {
    names ??= (await import("markdown-codec/emoji")).emojiNames();
  };
  const find = (query: string): readonly SuggestedEntry[] => {
    const known = names ?? new Map<string, string>();
    const found = query === "" ? frequent : namesLike(query, [...known.keys()]);
    return found.slice(0, shown).flatMap((name) => {
      const emoji = known.get(name);
      return emoji === undefined ? [] : [entryOf(name, emoji)];
    });
  };
  load().catch(() => {});
  return {
    label,
    find: (_view, { sign, query }) => {
      if ((sign !== "" && query.length < shortest) || !/^[\w+ -]*$/.test(query)) return [];
      const asked = query.trim().toLowerCase().replaceAll(" ", "_");
      return names === undefined ? load().then(() => find(asked)) : find(asked);
    },
  };
}

/** Returns the names that are a query, then those that begin with it, then those of which a word does. */
export function namesLike(query: string, names: readonly string[]): string[] {
  const exact = names.filter((name) => name === query);
  const first = names.filter((name) => name !== query && name.startsWith(query));
  const further = names.filter((name) => !name.startsWith(query) && name.includes(`_${query}`));
  return [...exact, ...first, ...further];
}

const entryOf = (name: string, emoji: string): SuggestedEntry => ({
  label: name,
  symbol: emoji,
  run: (view, question) =>
    runInPlace(view, question, (state, dispatch) => {
      dispatch?.(state.tr.insertText(emoji));
      return true;
    }),
});
