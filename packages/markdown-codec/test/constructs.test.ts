import { describe, expect, test } from "vitest";
import {
  CodecError,
  type DocJSON,
  parseMarkdown,
  serializeMarkdown,
  toHtml,
  toPlainText,
  validate,
} from "../src/index.ts";
import { asDocument, type Json, type MarkOfJson, nodesOf } from "./json.ts";
import { holdsForDocument, holdsForText } from "./laws.ts";

/** Each inline element of the contract: how it is written, and the mark that it must become. */
const inlineElements: [name: string, markdown: string, mark: string][] = [
  ["bold", "**x**", "bold"],
  ["bold with underscores", "__x__", "bold"],
  ["italic", "*x*", "italic"],
  ["italic with underscores", "_x_", "italic"],
  ["inline code", "`x`", "code"],
  ["strikethrough", "~~x~~", "strike"],
  ["strikethrough as a tag", "<s>x</s>", "strike"],
  ["deletion as a tag", "<del>x</del>", "strike"],
  ["underline", "<u>x</u>", "underline"],
  ["insertion as a tag", "<ins>x</ins>", "underline"],
  ["underline with pluses", "++x++", "underline"],
  ["highlight", "==x==", "highlight"],
  ["highlight as a tag", "<mark>x</mark>", "highlight"],
  ["subscript", "~x~", "subscript"],
  ["subscript as a tag", "<sub>x</sub>", "subscript"],
  ["superscript", "^x^", "superscript"],
  ["superscript as a tag", "<sup>x</sup>", "superscript"],
  ["a link", "[x](https://a.example/b_c)", "link"],
  ["a link with a title", '[x](https://a.example "t")', "link"],
  ["a link by reference", "[x][r]", "link"],
  ["an address", "<https://a.example>", "link"],
];

/** Each block element of the contract: how it is written, and the nodes that it must become. */
const blockElements: [name: string, markdown: string, ...types: string[]][] = [
  ["heading 1", "# h", "heading"],
  ["heading 2 with an id", "## h {#an-id}", "heading"],
  ["heading 3", "### h", "heading"],
  ["heading 4", "#### h", "heading"],
  ["heading 5", "##### h", "heading"],
  ["heading 6 with an id", "###### h {#É_1.2}", "heading"],
  ["underlined heading", "h\n===", "heading"],
  ["paragraph", "one paragraph", "paragraph"],
  ["two lines", "one\\\ntwo", "hardBreak"],
  ["bullets", "- a\n- b", "bulletList", "listItem"],
  ["nested bullets", "- a\n  - b\n    - c", "bulletList"],
  ["numbers", "1. a\n2. b", "orderedList", "listItem"],
  ["numbers from seven", "7. a\n8. b", "orderedList"],
  ["numbers from zero", "0) a", "orderedList"],
  ["numbers in bullets", "- a\n  1. b\n  2. c", "bulletList", "orderedList"],
  ["bullets in numbers", "1. a\n   - b\n\n   c", "bulletList", "orderedList"],
  ["tasks", "- [ ] a\n- [x] b", "taskList", "taskItem"],
  ["nested tasks", "- [ ] a\n  - [x] b", "taskList", "taskItem"],
  ["quote", "> a\n>\n> b", "blockquote"],
  ["quote in a quote", "> a\n> > b", "blockquote"],
  ["fence", "```\ncode\n```", "codeBlock"],
  ["fence with a language", "```ts\nconst a = `b`;\n```", "codeBlock"],
  ["fence in a fence", "````md\n```\na\n```\n````", "codeBlock"],
  ["rule", "---", "horizontalRule"],
  ["table", "| a | b |\n| :- | -: |\n| c | d \\| e |", "table", "tableRow", "tableHeader", "tableCell"],
  ["image", "![alt](https://a.example/i.png)", "image"],
  ["image with a title", '![alt](https://a.example/i.png "t")', "image"],
  ["footnote", "a[^n]\n\n[^n]: b", "footnoteReference", "footnoteDefinition"],
  ["footnote of two blocks", "a[^m]\n\n[^m]: b\n\n    - c", "footnoteReference", "footnoteDefinition"],
];

const definition = "\n\n[r]: https://a.example/r\n";

/** Three times through Markdown and back: the first reading is the last, and nothing is written differently. */
function threePasses(text: string): DocJSON {
  const { doc, markdown } = holdsForText(text);
  let last = { doc, markdown };
  for (let pass = 1; pass < 3; pass += 1) {
    last = holdsForText(last.markdown);
    expect(last.markdown).toBe(markdown);
    expect(last.doc).toEqual(doc);
  }
  return last.doc;
}

function typesOf(doc: DocJSON): Set<string> {
  const types = new Set<string>();
  for (const node of nodesOf(doc)) {
    types.add(node.type);
    for (const mark of node.marks ?? []) types.add(mark.type);
  }
  return types;
}

describe("every element of the contract, alone, through three passes", () => {
  test.for(inlineElements)("%s", ([, markdown, mark]) => {
    for (const text of [
      markdown,
      `a ${markdown} b`,
      `# ${markdown}`,
      `- ${markdown}`,
      `> ${markdown}`,
      `| ${markdown} |\n| - |`,
    ]) {
      expect(typesOf(threePasses(text + definition)), text).toContain(mark);
    }
  });

  test.for(blockElements)("%s", ([, markdown, ...types]) => {
    expect([...typesOf(threePasses(markdown))]).toEqual(expect.arrayContaining(types));
  });

  test("headings keep level and id, lists their start, fences their language, cells their alignment", () => {
    const nodes = [...nodesOf(threePasses("### h {#a-b}\n\n7. x\n\n```ts a=b\nc\n```\n\n| a | b |\n| -: | :-: |\n"))];
    const attrs = (type: string): unknown => nodes.find((node) => node.type === type)?.attrs;
    expect(attrs("heading")).toEqual({ level: 3, id: "a-b" });
    expect(attrs("orderedList")).toMatchObject({ start: 7 });
    expect(attrs("codeBlock")).toEqual({ language: "ts a=b" });
    expect(attrs("tableHeader")).toMatchObject({ align: "right" });
  });

  test("indented code becomes a fence", () => {
    expect([...typesOf(threePasses("text\n\n    code\n\n- a\n\n      code of the item"))]).toContain("codeBlock");
  });

  test("a shortcode becomes the character, between words only", () => {
    expect(toPlainText(threePasses("a :tada: b :+1: c :smile:"))).toMatch(/^a 🎉 b 👍 c 😄\n?$/);
    expect(toPlainText(threePasses("10:30:45 a:b:c x:tada:y :nosuchname: `:tada:` :-)")).trim()).toBe(
      "10:30:45 a:b:c x:tada:y :nosuchname: :tada: :-)",
    );
  });

  test("a definition list is kept as it is, and a colon elsewhere does not turn into anything", () => {
    const doc = threePasses("Term\n: the definition\n: another\n\n# h\n\n: alone");
    expect(doc.content.map((node) => node.type)).toEqual(["rawBlock", "heading", "paragraph"]);
    expect(doc.content[0]?.attrs).toMatchObject({
      kind: "definitionList",
      source: "Term\n: the definition\n: another",
    });
    expect(toPlainText(doc)).toBe("Term\nthe definition\nanother\nh\n: alone");
  });

  test("the id of a heading is in the HTML, and only there", () => {
    expect(toHtml(parseMarkdown("# h {#x}\n\np {#y}"))).toMatch(/<h1 id="x">h<\/h1>\s*<p>p {#y}<\/p>/);
  });
});

describe("every element in combination, through three passes", () => {
  test.for(inlineElements)("%s inside, around, beside and after every other", ([, first, firstMark]) => {
    for (const [, second, secondMark] of inlineElements) {
      const inner = first.startsWith("<http") ? first : first.replace("x", `a ${second} b`);
      for (const text of [`${first} ${second}`, `${first}${second}`, `${first}, ${second}.`, inner]) {
        threePasses(text + definition);
      }
      expect([...typesOf(threePasses(`${first} and ${second}${definition}`))]).toEqual(
        expect.arrayContaining([firstMark, secondMark]),
      );
    }
  });

  test.for(blockElements)("%s before and inside every other", ([, first, ...firstTypes]) => {
    for (const [, second, ...secondTypes] of blockElements) {
      // Bullets of one kind are one list, whether its items are tasks or not.
      const isMixed = firstTypes.includes("bulletList") && second.startsWith("- [");
      const types = [...firstTypes, ...secondTypes].filter((type) => !isMixed || type !== "taskList");
      const isTasks = first.startsWith("- [") && secondTypes.includes("bulletList");
      expect([...typesOf(threePasses(`${first}\n\n${second}`))], `${first} | ${second}`).toEqual(
        expect.arrayContaining(types.filter((type) => !isTasks || type !== "taskList")),
      );
      for (const [marker, indent] of [
        ["- ", "  "],
        ["> ", "> "],
        ["12. ", "    "],
        ["- [ ] ", "  "],
        ["[^z]: ", "    "],
      ]) {
        threePasses(`z[^z]\n\n${marker}${`${first}\n\n${second}`.replaceAll("\n", `\n${indent}`)}`);
      }
    }
  });

  const names = ["link", "bold", "italic", "strike", "underline", "highlight", "subscript", "superscript", "code"];
  const subsets = Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_name, bit) => (bits >> bit) & 1),
  );

  test.for(["x", " x", "x y", "(x)", "*", "😀"])("every set of marks on %j, in a word and beside others", (text) => {
    for (const subset of subsets) {
      const marks = subset.map(asMark);
      const marked: Json = marks.length > 0 ? { type: "text", text, marks } : { type: "text", text };
      for (const around of ["", "a", "a ", "."]) {
        const side: Json[] = around === "" ? [] : [{ type: "text", text: around }];
        const { doc } = holdsForDocument(asDocument([{ type: "paragraph", content: [...side, marked, ...side] }]));
        for (const mark of subset) expect(typesOf(doc), `${around}${text} ${subset}`).toContain(mark);
      }
    }
  });
});

function asMark(type: string): MarkOfJson {
  return type === "link" ? { type, attrs: { href: "https://a.example", title: null } } : { type };
}

describe("base64 images", () => {
  const pixel = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk";

  test.for([
    ["directly", `![a](${pixel})`, 1],
    ["in angle brackets with a title", `![a](<${pixel}> "t")`, 1],
    ["on a later line", `# h\n\ntext\n\n![a](${pixel})`, 5],
    ["through a reference definition", `![a][i]\n\n[i]: ${pixel}`, 1],
    ["through a collapsed reference", `![i][]\n\n[i]: ${pixel}`, 1],
    ["through a shortcut", `![i]\n\n[i]: ${pixel}`, 1],
    ["in a link", `[![a](${pixel})](https://a.example)`, 1],
    ["in a table", `| a |\n| - |\n| ![a](${pixel}) |`, 3],
    ["in an item in a quote", `> - x\n>   - ![a](${pixel})`, 2],
    ["in a footnote", `x[^1]\n\n[^1]: ![a](${pixel})`, 3],
    ["with the scheme in capitals", `![a](DATA:image/png;base64,AAAA)`, 1],
    ["with the scheme in entities", `![a](&#100;ata:image/png;base64,AAAA)`, 1],
    ["with white space before it", `![a](<  data:image/png;base64,AAAA>)`, 1],
  ] as const)("are refused %s, with the line", ([, text, line]) => {
    expect(() => parseMarkdown(text)).toThrow(
      expect.objectContaining({ name: "CodecError", code: "INLINE_IMAGE", line }),
    );
  });

  test.for([
    ["a fence", `\`\`\`md\n![a](${pixel})\n\`\`\``],
    ["a code span", `Write \`![a](${pixel})\` never.`],
    ["indented code", `    ![a](${pixel})`],
    ["an escaped bang and bracket", `\\!\\[a](${pixel.replace("image/png", "x")})`],
    ["prose", "A data: address such as data:image/png;base64,AAAA is long."],
    ["an unused definition", `[i]: ${pixel}\n\ntext`],
  ])("pass in %s, where they are only shown", ([, text]) => {
    threePasses(text ?? "");
  });

  test("are refused in JSON by validate, with the path, and by serializeMarkdown", () => {
    const doc = asDocument([
      { type: "paragraph", content: [{ type: "image", attrs: { src: pixel, alt: null, title: null } }] },
    ]);
    const answer = validate(doc);
    expect(answer).toMatchObject({ ok: false, issues: [{ code: "INLINE_IMAGE" }] });
    expect(answer.ok ? [] : answer.issues[0]?.path.slice(0, 4)).toEqual(["content", 0, "content", 0]);
    expect(() => serializeMarkdown(doc)).toThrow(CodecError);
  });
});
