import { serializeMarkdown } from "markdown-codec";
import { EditorState, type Plugin, TextSelection } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { describe, expect, it, vi } from "vitest";
import { insertSource } from "../src/client/editor/insert-items.ts";
import { matchWords } from "../src/client/editor/match-words.ts";
import { schema } from "../src/client/editor/schema.ts";
import { suggesting } from "../src/client/editor/suggesting.ts";
import {
  askFor,
  type SuggestedEntry,
  type Suggestion,
  suggestionIn,
  withoutSuggestion,
} from "../src/client/editor/suggestion-state.ts";
import { UploadStore } from "../src/client/editor/upload-store.ts";
import { ar } from "../src/messages/insert/ar.ts";
import { en } from "../src/messages/insert/en.ts";

vi.stubGlobal("HTMLElement", class {});

const nothing = (): void => undefined;
const actions = {
  locale: "en",
  documentId: "",
  uploads: new UploadStore(),
  editImage: nothing,
  editLink: nothing,
  sayMissing: nothing,
} as const;

const paragraph = (text: string) => schema.node("paragraph", null, text === "" ? [] : [schema.text(text)]);
const docOf = (...texts: readonly string[]) => schema.node("doc", null, texts.map(paragraph));

/** A view without a page: a state that takes what is dispatched. */
class FakeView {
  state: EditorState;
  readonly composing = false;
  readonly #plugin: Plugin;

  constructor(doc = docOf(""), caret = 1) {
    this.#plugin = suggesting(actions);
    const selection = TextSelection.create(doc, caret);
    this.state = EditorState.create({ doc, selection, plugins: [this.#plugin] });
  }

  readonly dispatch = (transaction: EditorState["tr"]): void => {
    this.state = this.state.apply(transaction);
  };

  nodeDOM(): null {
    return null;
  }

  focus(): void {
    // There is no page.
  }

  /** Types as ProseMirror does. */
  type(text: string): this {
    for (const letter of text) {
      const { from, to } = this.state.selection;
      const insert = (): EditorState["tr"] => this.state.tr.insertText(letter, from, to);
      const handle = this.#plugin.props.handleTextInput;
      const isHandled = handle?.call(this.#plugin, viewOf(this), from, to, letter, insert) === true;
      if (!isHandled) this.dispatch(insert());
    }
    return this;
  }

  get question() {
    return suggestionIn(this.state);
  }
}

/** What is tested uses the part of a view that a `FakeView` has. */
const viewOf = (view: FakeView): EditorView => view as unknown as EditorView;

const inEnglish = insertSource(en, actions);

/** Returns what can be inserted in the place of a question. */
function entriesFor(view: FakeView, question: Suggestion): readonly SuggestedEntry[] {
  const found = inEnglish.find(viewOf(view), question);
  return found instanceof Promise ? expect.fail("What can be inserted is known") : found;
}

/** Types a question and takes its first answer; returns the Markdown of what is there then. */
function take(view: FakeView): string {
  const { question } = view;
  if (question === null) return expect.fail("There is no question");
  const [first] = entriesFor(view, question);
  first?.run(viewOf(view), question);
  return serializeMarkdown(view.state.doc.toJSON());
}

describe("a question for suggestions", () => {
  it("begins with a slash at the beginning of a word, and has what is typed after it", () => {
    expect(new FakeView().type("/").question).toEqual({ kind: "insert", sign: "/", from: 1, to: 2, query: "" });
    expect(new FakeView().type("See /head 2").question).toEqual({
      kind: "insert",
      sign: "/",
      from: 5,
      to: 12,
      query: "head 2",
    });
    for (const typed of ["and/or", "1/2", "/ ", "a / b", "https://", "/two  spaces", `/${"x".repeat(41)}`]) {
      expect(new FakeView().type(typed).question, typed).toBeNull();
    }
  });

  it("is none in code, and ends when the caret leaves it, when its slash is deleted, or when it is ended", () => {
    const code = schema.node("doc", null, [schema.node("codeBlock")]);
    expect(new FakeView(code).type("/").question).toBeNull();
    const marked = [schema.text("a ", [schema.mark("code")])];
    expect(new FakeView(schema.node("doc", null, [schema.node("paragraph", null, marked)]), 3).type("/").question).toBe(
      null,
    );
    const left = new FakeView(docOf("Text "), 6).type("/a");
    left.dispatch(left.state.tr.setSelection(TextSelection.create(left.state.doc, 2)));
    expect(left.question).toBeNull();
    const deleted = new FakeView().type("/a");
    deleted.dispatch(deleted.state.tr.delete(1, 2));
    expect(deleted.question).toBeNull();
    const ended = new FakeView().type("/a");
    ended.dispatch(withoutSuggestion(ended.state.tr));
    expect(ended.type("b").question).toBeNull();
    expect(ended.state.doc.textContent).toBe("/ab");
  });

  it("moves with what others write before it", () => {
    const view = new FakeView(docOf("One", ""), 6).type("/tab");
    view.dispatch(view.state.tr.insertText("Theirs. ", 1));
    expect(view.question).toEqual({ kind: "insert", sign: "/", from: 14, to: 18, query: "tab" });
    expect(take(view)).toBe("Theirs. One\n\n|  |  |\n| --- | --- |\n|  |  |\n");
  });

  it("goes on when others write right before its sign", () => {
    const view = new FakeView(docOf("One "), 5).type("/tab");
    view.dispatch(view.state.tr.insertText("Theirs. ", 5));
    expect(view.question).toEqual({ kind: "insert", sign: "/", from: 13, to: 17, query: "tab" });
    const asked = new FakeView(docOf("One "), 5);
    askFor(viewOf(asked), "insert");
    expect(asked.type("tab").question).toMatchObject({ sign: "", query: "tab" });
  });
});

describe("what can be inserted", () => {
  it.each([
    ["/h2", "Title", "## Title\n"],
    ["/todo", "Do", "- [ ] Do\n"],
    ["/ol", "One", "1. One\n"],
    ["/quote", "Said", "> Said\n"],
    ["/code", "a", "```\na\n```\n"],
    ["/warn", "Hot", "> [!WARNING]\n> Hot\n"],
    ["/toggle", "Inside", "<details>\n<summary>Details</summary>\n\nInside\n\n</details>\n"],
    ["More /toggle", "Inside", "<details>\n<summary>More</summary>\n\nInside\n\n</details>\n"],
    ["/latex", "", "$$\nx\n$$\n\n&nbsp;\n"],
    ["Word /footnote", "Note", "Word [^1]\n\n[^1]: Note\n"],
    ["Above /hr", "Below", "Above\n\n---\n\nBelow\n"],
  ])("%s and then %j is %j", (asked, typed, markdown) => {
    const view = new FakeView().type(asked);
    take(view);
    expect(view.question).toBeNull();
    view.type(typed);
    expect(serializeMarkdown(view.state.doc.toJSON())).toBe(markdown);
  });

  it("is plain text where there is a heading", () => {
    const heading = schema.node("heading", { level: 2 }, [schema.text("Plan")]);
    expect(take(new FakeView(schema.node("doc", null, [heading]), 5).type(" /plain"))).toBe("Plan\n");
  });

  it("is one change with the removal of the question, and its own where a button asked", () => {
    const view = new FakeView(docOf("Text"), 5);
    askFor(viewOf(view), "insert");
    expect(view.question).toEqual({ kind: "insert", sign: "", from: 5, to: 5, query: "" });
    let changes = 0;
    const { dispatch } = view;
    Object.assign(view, {
      dispatch: (transaction: EditorState["tr"]) => {
        if (transaction.docChanged) changes += 1;
        dispatch(transaction);
      },
    });
    view.type("heading 3");
    changes = 0;
    expect(take(view)).toBe("### Text\n");
    expect(changes).toBe(1);
  });

  it("is in a cell of a table only what stands in a line", () => {
    const cell = schema.node("tableCell", null, [paragraph("")]);
    const row = schema.node("tableRow", null, [cell]);
    const view = new FakeView(schema.node("doc", null, [schema.node("table", null, [row])]), 4).type("/");
    const { question } = view;
    const found = question === null ? [] : entriesFor(view, question);
    expect(found.map(({ label }) => label)).toEqual([
      "Footnote",
      "Link to a document",
      "Person",
      "Emoji",
      "Picture",
      "File",
      "Today’s date",
    ]);
  });

  it("takes a number for a footnote that no other has", () => {
    const label = { label: "1" };
    const doc = schema.node("doc", null, [
      schema.node("paragraph", null, [schema.node("footnoteReference", label)]),
      schema.node("footnoteDefinition", label, [paragraph("One")]),
    ]);
    expect(take(new FakeView(doc, 2).type(" /footnote"))).toContain("[^1] [^2]");
  });

  it.each([
    [en, "HEADING", "Heading 1"],
    [en, "num li", "Numbered list"],
    [ar, "جدول", "جدول"],
    [ar, "المهام", "قائمة مهام"],
    [ar, "مرقمة", "قائمة مرقّمة"],
    [ar, "table", "جدول"],
  ])("is found by words and synonyms (case %#)", (words, query, label) => {
    const named = Object.values(words.items);
    expect(matchWords(query, named)[0]?.label).toBe(label);
  });

  it("has names that differ, and no entry for other words", () => {
    for (const words of [en, ar]) {
      const labels = Object.values(words.items).map(({ label }) => label);
      expect(new Set(labels).size).toBe(labels.length);
      expect(matchWords("xyzzy", Object.values(words.items))).toEqual([]);
    }
  });
});
