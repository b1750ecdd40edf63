import type { EditorView } from "prosemirror-view";
import { loadInsertWords } from "../../messages/insert/index.ts";
import type { IconName } from "../icons/names.ts";
import { iconShapes } from "../icons/shapes.ts";
import { emojiSource } from "./emoji-source.ts";
import { insertSource } from "./insert-items.ts";
import { peopleSource } from "./people-source.ts";
import { placeBeside } from "./place-beside.ts";
import styles from "./suggestion-list.module.css";
import {
  type SuggestedEntry,
  type Suggestion,
  type SuggestionActions,
  type SuggestionKind,
  type SuggestionSource,
  suggestionIn,
  withoutSuggestion,
} from "./suggestion-state.ts";

/** The list of suggestions of an editor. The focus stays in the text, which points at one of the entries. */
export type SuggestionList = {
  readonly show: (question: Suggestion) => void;
  readonly close: () => void;
  /** Returns whether a key was one for the list. */
  readonly press: (event: KeyboardEvent) => boolean;
};

let lastId = 0;

/** Makes the list of an editor, in the reader's language. */
export async function openSuggestionList(view: EditorView, actions: SuggestionActions): Promise<SuggestionList> {
  const words = await loadInsertWords(actions.locale);
  return new ListBox(view, {
    insert: insertSource(words, actions),
    people: peopleSource(words.people),
    emoji: emojiSource(words.emoji),
  });
}

class ListBox implements SuggestionList {
  readonly #view: EditorView;
  readonly #sources: Readonly<Record<SuggestionKind, SuggestionSource>>;
  readonly #box = document.createElement("div");
  readonly #id = `suggestions-${++lastId}`;
  #question: Suggestion | undefined;
  #entries: readonly SuggestedEntry[] = [];
  #active = 0;

  constructor(view: EditorView, sources: Readonly<Record<SuggestionKind, SuggestionSource>>) {
    this.#view = view;
    this.#sources = sources;
    this.#box.id = this.#id;
    this.#box.className = styles.list ?? "";
    this.#box.setAttribute("role", "listbox");
    // It scrolls. Nobody gets here by Tab, which takes an entry.
    this.#box.tabIndex = 0;
    // The caret stays where it is.
    this.#box.addEventListener("mousedown", (event) => event.preventDefault());
    this.#box.addEventListener("click", (event) => this.#click(event));
  }

  show(question: Suggestion): void {
    const before = this.#question;
    this.#question = question;
    if (before?.query !== question.query || before.kind !== question.kind) this.#find(question);
    if (this.#entries.length > 0) placeBeside(this.#box, this.#view, question.from);
  }

  close(): void {
    this.#question = undefined;
    this.#entries = [];
    this.#hide();
  }

  press(event: KeyboardEvent): boolean {
    // `:smile:` is written without looking at the list.
    const question = this.#question;
    const isEmoji = question?.kind === "emoji" && question.sign === ":";
    if (event.key === ":" && isEmoji && this.#entries[0]?.label === question.query) {
      this.#take(0);
      return true;
    }
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    const count = this.#entries.length;
    if (event.key === "Escape") this.#view.dispatch(withoutSuggestion(this.#view.state.tr));
    // Without a list nobody sees that there is a question.
    if (event.key === "Escape" || count === 0) return count > 0;
    if (event.key === "ArrowDown") this.#point((this.#active + 1) % count);
    else if (event.key === "ArrowUp") this.#point((this.#active + count - 1) % count);
    else if (event.key === "Enter" || event.key === "Tab") this.#take(this.#active);
    else return false;
    return true;
  }

  #find(question: Suggestion): void {
    const found = this.#sources[question.kind].find(this.#view, question);
    if (!(found instanceof Promise)) {
      this.#fill(question, found);
      return;
    }
    // An entry for an earlier question is not taken for this one.
    this.#fill(question, []);
    const isCurrent = (): boolean => this.#question?.query === question.query && this.#question.kind === question.kind;
    const show = (entries: readonly SuggestedEntry[]): void => {
      if (isCurrent()) this.#fill(question, entries);
    };
    // Without an answer there is nothing to suggest.
    found.then(show, () => show([]));
  }

  #fill({ kind, from }: Suggestion, entries: readonly SuggestedEntry[]): void {
    this.#entries = entries;
    if (entries.length === 0) {
      this.#hide();
      return;
    }
    this.#box.setAttribute("aria-label", this.#sources[kind].label);
    this.#box.replaceChildren(...entries.map((entry, index) => option(entry, this.#idOf(index))));
    if (!this.#box.isConnected) this.#view.dom.after(this.#box);
    this.#view.dom.setAttribute("aria-controls", this.#id);
    this.#point(0);
    placeBeside(this.#box, this.#view, this.#question?.from ?? from);
  }

  #hide(): void {
    this.#box.remove();
    this.#view.dom.removeAttribute("aria-controls");
    this.#view.dom.removeAttribute("aria-activedescendant");
  }

  #point(index: number): void {
    this.#active = index;
    for (const [each, element] of [...this.#box.children].entries()) {
      element.setAttribute("aria-selected", String(each === index));
      if (each === index) element.scrollIntoView({ block: "nearest" });
    }
    this.#view.dom.setAttribute("aria-activedescendant", this.#idOf(index));
  }

  #click({ target }: MouseEvent): void {
    const index = [...this.#box.children].findIndex((element) => target instanceof Node && element.contains(target));
    if (index >= 0) this.#take(index);
  }

  #take(index: number): void {
    const entry = this.#entries[index];
    // What others wrote meanwhile has moved the question.
    const question = suggestionIn(this.#view.state);
    if (entry === undefined || question === null) return;
    entry.run(this.#view, question);
    if (suggestionIn(this.#view.state) !== null) this.#view.dispatch(withoutSuggestion(this.#view.state.tr));
  }

  #idOf(index: number): string {
    return `${this.#id}-${index}`;
  }
}

function option({ label, icon, symbol, hint }: SuggestedEntry, id: string): HTMLElement {
  const element = document.createElement("div");
  element.id = id;
  element.className = styles.entry ?? "";
  element.setAttribute("role", "option");
  const name = document.createElement("span");
  name.className = styles.name ?? "";
  name.dir = "auto";
  name.textContent = label;
  if (icon !== undefined) element.append(iconOf(icon));
  if (symbol !== undefined) {
    const shown = document.createElement("span");
    shown.setAttribute("aria-hidden", "true");
    shown.textContent = symbol;
    element.append(shown);
  }
  element.append(name);
  if (hint !== undefined) {
    const shown = document.createElement("kbd");
    shown.className = styles.hint ?? "";
    shown.dir = "ltr";
    shown.setAttribute("aria-hidden", "true");
    shown.textContent = hint;
    element.append(shown);
  }
  return element;
}

const svg = "http://www.w3.org/2000/svg";

function iconOf(name: IconName): SVGSVGElement {
  const element = document.createElementNS(svg, "svg");
  const path = document.createElementNS(svg, "path");
  element.setAttribute("class", "icon");
  element.setAttribute("viewBox", "0 0 24 24");
  element.setAttribute("aria-hidden", "true");
  path.setAttribute("d", iconShapes[name]);
  element.append(path);
  return element;
}
