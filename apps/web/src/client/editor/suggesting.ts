import { type EditorState, Plugin, TextSelection } from "prosemirror-state";
import { part } from "./part.ts";
import type { SuggestionList } from "./suggestion-list.ts";
import {
  suggestionKey as key,
  type SuggestionStart as Start,
  type Suggestion,
  type SuggestionActions,
  suggestionIn,
  suggestionSigns,
  withoutSuggestion,
  withSuggestion,
} from "./suggestion-state.ts";

const longestQuery = 40;
const list = part(() => import("./suggestion-list.ts"));

/** Loads the list before somebody asks for it. */
export const loadSuggestions = (): void => void list.load().catch(() => undefined);

/** Asks for suggestions where a sign is typed at the beginning of a word; Escape leaves the sign as text. */
export function suggesting(actions: SuggestionActions): Plugin {
  let shown: SuggestionList | undefined;
  return new Plugin<Suggestion | null>({
    key,
    state: {
      init: () => null,
      apply: (transaction, known, _before, state) => {
        const asked: Start | null | undefined = transaction.getMeta(key);
        if (asked === null || (asked === undefined && known === null)) return null;
        const start =
          asked ?? (known === null ? null : { ...known, from: transaction.mapping.map(known.from, sideOf(known)) });
        return start === null ? null : readSuggestion(state, start);
      },
    },
    props: {
      handleTextInput: (view, from, _to, text, insert) => {
        const kind = suggestionSigns.get(text);
        if (view.composing || kind === undefined || !isStartOfWord(view.state, from)) return false;
        view.dispatch(withSuggestion(insert(), { kind, sign: text, from }));
        return true;
      },
      handleKeyDown: (view, event) => suggestionIn(view.state) !== null && shown?.press(event) === true,
      handleDOMEvents: {
        blur: (view) => {
          if (suggestionIn(view.state) !== null) view.dispatch(withoutSuggestion(view.state.tr));
        },
      },
    },
    view: (view) => {
      const update = (): void => {
        const suggestion = suggestionIn(view.state);
        // The list of an input method stands in the same place.
        if (suggestion === null || view.composing) shown?.close();
        else if (shown !== undefined) shown.show(suggestion);
        else void load();
      };
      const load = async (): Promise<void> => {
        try {
          const opened = await (await list.load()).openSuggestionList(view, actions);
          if (view.isDestroyed || shown !== undefined) return;
          shown = opened;
          update();
        } catch (error) {
          if (view.isDestroyed || suggestionIn(view.state) === null) return;
          view.dispatch(withoutSuggestion(view.state.tr));
          actions.sayMissing(error);
        }
      };
      return { update, destroy: () => shown?.close() };
    },
  });
}

/** What others write right before the sign is not a part of the question; what is typed where a button asked is. */
const sideOf = ({ sign, query }: Suggestion): -1 | 1 => (sign === "" && query === "" ? -1 : 1);

function isStartOfWord(state: EditorState, position: number): boolean {
  const { parent, parentOffset, nodeBefore } = state.doc.resolve(position);
  if (parent.type.spec.code === true || nodeBefore?.marks.some(({ type }) => type.spec.code === true)) return false;
  return parentOffset === 0 || /[\s(]$/u.test(parent.textBetween(parentOffset - 1, parentOffset, null, "\ufffc"));
}

/** Returns the question that begins at a place, as far as the caret is behind it and its text can be one. */
function readSuggestion({ selection }: EditorState, { kind, sign, from }: Start): Suggestion | null {
  const { $from, empty } = selection;
  const start = $from.start();
  if (!(selection instanceof TextSelection) || !empty || from < start || from > $from.pos) return null;
  const text = $from.parent.textBetween(from - start, $from.parentOffset, null, "\ufffc");
  const query = text.slice(sign.length);
  const isQuestion = text.startsWith(sign) && query.length <= longestQuery && !/^\s|\ufffc|\s\s/u.test(query);
  return isQuestion ? { kind, sign, from, to: $from.pos, query } : null;
}
