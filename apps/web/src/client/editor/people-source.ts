import { call } from "../api/call.ts";
import type { OutputOf } from "../api/contract.ts";
import { nodeType } from "./commands.ts";
import { matchWords } from "./match-words.ts";
import { runInPlace } from "./run-in-place.ts";
import type { SuggestedEntry, SuggestionSource } from "./suggestion-state.ts";

type Person = OutputOf<"users.directory">["data"][number];

const shown = 8;
/** In a team with more people, queries ask the service. */
const few = 100;
/** The time without a key after which it is asked. */
const pauseMs = 150;

/** Returns the source of the people of the team, found by the words of their names. */
export function peopleSource(label: string): SuggestionSource {
  let all: readonly Person[] | "many" | undefined;
  let latest = 0;
  /** Returns nobody for a query that another one followed at once. */
  const askAfterPause = async (query: string): Promise<readonly Person[]> => {
    latest += 1;
    const own = latest;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    return own === latest ? ask(query) : [];
  };
  const ask = async (query: string): Promise<readonly Person[]> => {
    const answer = await call("users.directory", { limit: few, ...(query.trim() !== "" && { query }) });
    if (query.trim() === "") all = answer.total > answer.data.length ? "many" : answer.data;
    return answer.data;
  };
  const matching = (people: readonly Person[], query: string): readonly SuggestedEntry[] => {
    const active = people
      .filter(({ suspended }) => !suspended)
      .map((person) => ({ person, label: person.name, words: "" }));
    return matchWords(query, active)
      .slice(0, shown)
      .map(({ person }) => entryOf(person));
  };
  return {
    label,
    find: (_view, { query }) => {
      if (all !== undefined && all !== "many") return matching(all, query);
      if (all === "many") return askAfterPause(query).then((people) => matching(people, query));
      return ask("").then(async (people) =>
        matching(all === "many" && query !== "" ? await askAfterPause(query) : people, query),
      );
    },
  };
}

const entryOf = ({ id, name }: Person): SuggestedEntry => ({
  label: name,
  icon: "user",
  run: (view, question) =>
    runInPlace(view, question, (state, dispatch) => {
      const { tr } = state;
      tr.replaceSelectionWith(nodeType("mention").create({ id, label: name.trim() }));
      dispatch?.(tr.insertText(" "));
      return true;
    }),
});
