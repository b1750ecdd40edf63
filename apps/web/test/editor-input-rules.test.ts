import { parseMarkdown, serializeMarkdown } from "markdown-codec";
import { history, undo } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import { type Command, EditorState, type Plugin, TextSelection } from "prosemirror-state";
import { expect, it } from "vitest";
import { toggle } from "../src/client/editor/commands.ts";
import { markdownRules, undoRule } from "../src/client/editor/input-rules.ts";
import { quoteRules } from "../src/client/editor/quote-rules.ts";
import { schema } from "../src/client/editor/schema.ts";
import { tableOfLine } from "../src/client/editor/table-line.ts";

/** A text that is typed into as a browser does, sign by sign. */
class Typist {
  readonly #rules: Plugin;
  state: EditorState;

  constructor(doc = schema.node("doc", null, [schema.node("paragraph")]), language = "") {
    this.#rules = markdownRules(quoteRules(language));
    const selection = TextSelection.atEnd(doc);
    this.state = EditorState.create({ doc, selection, plugins: [this.#rules, history()] });
  }

  type(text: string): this {
    for (const sign of text) {
      if (sign === "\n") expect(this.run(tableOfLine)).toBe(true);
      else if (!this.#isRule(sign)) this.state = this.state.apply(this.state.tr.insertText(sign));
    }
    return this;
  }

  run(command: Command): boolean {
    return command(this.state, (tr) => {
      this.state = this.state.apply(tr);
    });
  }

  /** The document as Markdown, with the caret as `‸`. */
  get text(): string {
    const { tr } = this.state;
    return serializeMarkdown(tr.insertText("‸").doc.toJSON());
  }

  #isRule(sign: string): boolean {
    const { from, to } = this.state.selection;
    const view = {
      state: this.state,
      composing: false,
      dispatch: (tr: EditorState["tr"]) => {
        this.state = this.state.apply(tr);
      },
    };
    return (
      this.#rules.props.handleTextInput?.call(this.#rules, view as never, from, to, sign, () => this.state.tr) === true
    );
  }
}

const typed = (text: string): string => new Typist().type(text).text;

it.each([
  ["H~2~O", "H~2~O‸\n"],
  ["x^2^ y", "x^2^ y‸\n"],
  ["~~no~~ yes", "~~no~~ yes‸\n"],
  ["See[^a].", "See[^a].‸\n\n[^a]:\n"],
  ["See[^a] and[^A].", "See[^a] and[^A].‸\n\n[^a]:\n"],
  ["**use `x`** now", "**use `x`** now‸\n"],
  ["| a | *b* |\nc", "| a | *b* |\n| --- | --- |\n| c‸ |  |\n"],
  ["So $x^2$, then", "So $x^2$, then‸\n"],
  ["($x$) and $\\$5$ ", "($x$) and $\\$5$ ‸\n"],
  ["|a|\n", "| a |\n| --- |\n| ‸ |\n"],
  ["| a \\| b | `c|d` | |\n", "| a \\\\\\| b | `c\\|d` |  |\n| --- | --- | --- |\n| ‸ |  |  |\n"],
])("%j is typed as in Markdown", (text, markdown) => {
  expect(typed(text)).toBe(markdown);
});

it.each([
  "a ~5 and ~6",
  "~ a~",
  "10^5 and 10^6",
  "^_^",
  "^^",
  "\\^a^",
  "[^a b]",
  "\\[^a]",
  "[^]",
  "$5 and $6 ",
  "a$x$ ",
  "$ x$ ",
  "$x$y ",
])("%j stays as it was typed", (text) => {
  const { state } = new Typist().type(text);
  expect(state.doc.textContent).toBe(text);
  expect(state.doc.childCount).toBe(1);
  expect(state.doc.rangeHasMark(0, state.doc.content.size, schema.mark("subscript").type)).toBe(false);
  expect(state.doc.rangeHasMark(0, state.doc.content.size, schema.mark("superscript").type)).toBe(false);
});

it.each([
  ["H~2~", "H~2~"],
  ["x^2^", "x^2^"],
  ["See[^a]", "See[^a]"],
  ["| a | *b* |\n", "| a | b |"],
  ["---", "---"],
])("%j is taken back by one Backspace, with the caret behind it, and by one undo", (text, before) => {
  const typist = new Typist().type(text);
  expect(typist.run(undoRule)).toBe(true);
  expect(typist.state.doc.textContent).toBe(before);
  expect(typist.state.doc.childCount).toBe(1);
  expect(typist.state.selection.from).toBe(before.length + 1);
  expect(typist.run(undoRule)).toBe(false);
  const other = new Typist().type(text);
  const made = other.state.doc;
  expect(other.run(undo)).toBe(true);
  expect(other.state.doc.eq(made)).toBe(false);
  expect(other.state.doc.childCount).toBe(1);
});

it.each([
  "$x$ ",
  "$$ ",
  "a**b**",
  "_a_",
  "~~a~~",
  "H~2~",
  "x^2^",
  "[^a]",
  "[a](https://a.org)",
  "# ",
  "- ",
  "[] ",
  "> ",
  "---",
])("%j stays as it was typed in code", (text) => {
  const marked = new Typist();
  marked.run(toggle("code"));
  marked.type(text);
  expect(marked.state.doc.textContent).toBe(text);
  expect(marked.state.doc.child(0).type.name).toBe("paragraph");
  const block = new Typist(schema.node("doc", null, [schema.node("codeBlock")])).type(text);
  expect(block.state.doc.textContent).toBe(text);
  expect(block.state.doc.childCount).toBe(1);
});

it.each([
  ["a line that goes on behind the caret", ["| a |x"], 6],
  ["a line that does not end with a bar", ["| a"], 4],
  ["the dashes below headings", ["| - | :-: |"], 12],
  ["a line in code", null, 6],
])("Enter makes no table of %s", (_name, lines, caret) => {
  const content = lines?.map((line) => schema.node("paragraph", null, [schema.text(line)])) ?? [
    schema.node("codeBlock", null, [schema.text("| a |")]),
  ];
  const doc = schema.node("doc", null, content);
  expect(tableOfLine(EditorState.create({ doc, selection: TextSelection.create(doc, caret) }))).toBe(false);
});

it("Enter makes no table in a table, in the first line of a list item, or of more than 50 columns", () => {
  const line = (text: string) => schema.node("paragraph", null, [schema.text(text)]);
  const cell = schema.node("tableRow", null, [schema.node("tableCell", null, [line("| a |")])]);
  const item = schema.node("listItem", null, [line("| a |"), line("| a |")]);
  const isMade = (block: ReturnType<typeof line>, caret: number): boolean => {
    const doc = schema.node("doc", null, [block]);
    return tableOfLine(EditorState.create({ doc, selection: TextSelection.create(doc, caret) }));
  };
  expect(isMade(schema.node("table", null, [cell]), 9)).toBe(false);
  const list = schema.node("bulletList", null, [item]);
  expect(isMade(list, 8)).toBe(false);
  expect(isMade(list, 15)).toBe(true);
  expect(isMade(line(`|${"a|".repeat(50)}`), 102)).toBe(true);
  expect(isMade(line(`|${"a|".repeat(51)}`), 104)).toBe(false);
});

it("two dollars and a space make a formula on lines of its own, which is selected, and one Backspace brings them back", () => {
  const typist = new Typist().type("$$ ");
  expect(serializeMarkdown(typist.state.doc.toJSON())).toBe("$$\nx\n$$\n\n&nbsp;\n");
  expect(typist.state.selection.from).toBe(0);
  expect(typist.run(undoRule)).toBe(true);
  expect(typist.state.doc.textContent).toBe("$$ ");
});

it("a footnote in a footnote stays as it was typed", () => {
  const note = schema.node("footnoteDefinition", { label: "1" }, [schema.node("paragraph")]);
  const typist = new Typist(schema.node("doc", null, [note])).type("[^2]");
  expect(typist.state.doc.textContent).toBe("[^2]");
  expect(typist.state.doc.childCount).toBe(1);
});

const blocks = [
  ["a heading", "## Title"],
  ["the second line of a list item", "- item\n\n  ## Title"],
  ["a task", "- [ ] task"],
  ["a quote", "> quote"],
  ["a callout", "> [!NOTE]\n> note"],
  ["a cell of a table", "| a | b |\n|---|---|\n| c | d |"],
  ["a footnote", "Text[^1]\n\n[^1]: note"],
  ["code", "```\ncode\n```"],
] as const;
const signs = ["# ", "```ts ", "> ", "- ", "1. ", "[ ] ", "[x] ", "---", "[!NOTE] ", "[^1]", "**b**", "$x$ ", "$$ "];

/** Returns the types of all nodes and marks, in their order, with their attributes. */
function kindsIn(doc: Node): string {
  const kinds: string[] = [];
  doc.descendants(({ type, attrs, marks, isText }) => {
    for (const each of [...(isText ? [] : [{ type, attrs }]), ...marks])
      kinds.push(each.type.name, JSON.stringify(each.attrs));
  });
  return kinds.join(" ");
}

it.each(blocks)(
  "in %s each sign of Markdown makes a document of the schema, or stays as it was typed",
  (_name, markdown) => {
    const doc = schema.nodeFromJSON(parseMarkdown(markdown));
    for (const sign of signs) {
      const empty = new Typist(doc);
      const { $from } = empty.state.selection;
      empty.state = empty.state.apply(empty.state.tr.delete($from.start(), $from.end()));
      for (const typist of [new Typist(doc), empty]) {
        const before = typist.state.doc;
        typist.type(sign);
        const { doc: after } = typist.state;
        after.check();
        if (kindsIn(after) === kindsIn(before)) expect(after.textContent, sign).toContain(sign);
      }
    }
  },
);

it("a task does not begin in a heading", () => {
  expect(typed("# [x] ")).toBe("# \\[x] ‸\n");
});

it("in a later line of a list item a task begins within the item", () => {
  const doc = schema.nodeFromJSON(parseMarkdown("- item\n\n  more\n"));
  const { tr } = EditorState.create({ doc, selection: TextSelection.atEnd(doc) });
  expect(new Typist(tr.delete(tr.selection.$from.start(), tr.selection.to).doc).type("[x] ").text).toBe(
    "- item\n  - [x] ‸\n",
  );
});

/** Types in a browser that wants the quotation marks of a language. */
const quoting = (text: string, language: string): Typist => new Typist(undefined, language).type(text);

it.each([
  ["en", `She said "it's 'fine'" (see "a").`, "She said “it’s ‘fine’” (see “a”)."],
  ["en", `"'A' in 2026", the 1990's, 5'10" and '90s`, "“‘A’ in 2026”, the 1990's, 5'10\" and ‘90s"],
  ["de", `Er sagte "das ist 'gut'". Hans' Auto`, "Er sagte „das ist ‚gut‘“. Hans’ Auto"],
  ["de-CH", `"a 'b'"`, "«a ‹b›»"],
  ["fr", `"l'eau 'b' 1"`, "«\u202fl’eau “b” 1\u202f»"],
  ["fr", `" bonjour " et "il dit 'j'ai'".`, "«\u202fbonjour\u202f» et «\u202fil dit “j’ai”\u202f»."],
  ["de", `"sie fragt 'wie geht's'".`, "„sie fragt ‚wie geht’s‘“."],
  ["ar", `"اقتباس 'ب'"`, "«اقتباس “ب”»"],
  ["es", `"a 'b'"`, "«a “b”»"],
  ["ru", `"a 'b'"`, "«a „b“»"],
  ["pl", `"a 'b'"`, "„a «b»”"],
  ["sv", `"a 'b' 2026", 5"`, '”a ’b’ 2026”, 5"'],
  ["da", `"a 'b'"`, "»a ›b‹«"],
])("quotation marks are those of %s where the browser wants them: %j", (language, text, marks) => {
  expect(quoting(text, language).state.doc.textContent).toBe(marks);
});

it.each(["", "tlh", "constructor"])("quotation marks stay as they were typed with the language %j", (language) => {
  expect(quoting(`"a" it's`, language).state.doc.textContent).toBe(`"a" it's`);
});

it("quotation marks in code stay as they were typed, and one Backspace brings back a mark that was made", () => {
  expect(quoting("`a` `", "de").state.doc.textContent).toBe("a `");
  expect(quoting('`say("a")` "b"', "en").state.doc.textContent).toBe('say("a") “b”');
  expect(quoting('[a](/b "c', "en").state.doc.textContent).toBe('[a](/b "c');
  expect(quoting('$f("x") and', "en").state.doc.textContent).toBe('$f("x") and');
  expect(quoting('costs $5, "cheap"', "en").state.doc.textContent).toBe("costs $5, “cheap”");
  const coded = schema.node("doc", null, [schema.node("codeBlock")]);
  expect(new Typist(coded, "de").type(`"a"`).state.doc.textContent).toBe(`"a"`);
  const inline = quoting("", "de");
  inline.state = inline.state.apply(inline.state.tr.addStoredMark(schema.mark("code")));
  expect(inline.type(`"a"`).state.doc.textContent).toBe(`"a"`);
  const typist = quoting(`a "`, "de");
  expect(typist.state.doc.textContent).toBe("a „");
  expect(typist.run(undoRule)).toBe(true);
  expect(typist.state.doc.textContent).toBe(`a "`);
  expect(typist.state.selection.from).toBe(4);
});

it("a quotation mark after a line break opens a quotation, and one after a picture or a formula closes it", () => {
  const after = (...nodes: Node[]): string =>
    new Typist(schema.node("doc", null, [schema.node("paragraph", null, nodes)]), "de").type('"').state.doc.textContent;
  expect(after(schema.text("a"), schema.node("hardBreak"))).toBe("a„");
  expect(after(schema.node("inlineMath", { latex: "x" }))).toBe("“");
});
