import { pageOf, renderers } from "@kb/testing/renderers";
import { describe, expect, test } from "vitest";
import {
  append,
  type DocJSON,
  normalize,
  parseMarkdown,
  prepend,
  serializeMarkdown,
  toHtml,
  toPlainText,
  validate,
} from "../src/index.ts";
import { schema } from "../src/schema.ts";
import { asDocument, type Json, nodesOf } from "./json.ts";
import { holdsForText } from "./laws.ts";

/** The raw constructs of a document, as kind and source. */
function rawOf(doc: DocJSON): [unknown, unknown][] {
  return [...nodesOf(doc)]
    .filter((node) => node.type.startsWith("raw"))
    .map((node) => [node.attrs?.kind, node.attrs?.source]);
}

const blocks: [what: string, kind: string, source: string][] = [
  ["front matter", "frontMatter", "---\ntitle: a\ntags:\n  - b\n\n# c\n---"],
  ["empty front matter", "frontMatter", "---\n---"],
  ["front matter in TOML", "frontMatter", '+++\ntitle = "a"\n+++'],
  ["an HTML block", "html", "<div class='a'>\n  *b*\n\t<p>\n</div>"],
  ["HTML with blank lines", "html", "<script>\nlet a;\n\n\tlet b;\n</script>"],
  ["a component", "html", "<Tabs items='[a]'>"],
  ["a picture with a size", "html", '<img src="/a.png" width="100">'],
  ["a comment", "comment", "<!-- a\n\n  b -->"],
  ["a directive", "directive", ':::details[A *b*]{open="c"}\n\n- d\n\n```\n:::\n```\n\n:::inner\ne\n:::\n:::'],
  ["a directive on a line", "directive", "::youtube[A video]{#id .c}"],
  ["a definition list", "definitionList", "Term\n: One\n  more\n: Two\n\n    ```\n    code\n    ```"],
  ["a definition that no link uses", "linkDefinition", "[a b]: </c d>\n  'e'"],
  ["a table with a row too long", "table", "| a | b |\n| - | - |\n| c || d |"],
];

const inlines: [what: string, kind: string, source: string][] = [
  ["a key", "html", "<kbd>"],
  ["the end of a key", "html", "</kbd>"],
  ["a tag with attributes", "html", `<a href="b|c" title='d > "e"'>`],
  ["a picture with a size", "html", '<img src="/a.png" alt="b" width="100">'],
  ["a comment", "comment", "<!-- a * b -->"],
  ["an instruction", "html", "<?php a ?>"],
  ["a directive", "directive", ":abbr[HTML]{title=x}"],
];

describe("what has no node of its own is kept, byte for byte", () => {
  test.for(blocks)("%s", ([, kind, source]) => {
    const { doc, markdown } = holdsForText(`${source}\n\nafter\n`);
    expect(rawOf(doc)).toEqual([[kind, source]]);
    expect(markdown).toBe(`${source}\n\nafter\n`);
    expect(validate(doc, { strict: true })).toEqual({ ok: true, doc });
    expect(() => schema.nodeFromJSON(doc).check()).not.toThrow();
  });

  test.for(blocks.filter(([, kind]) => kind !== "frontMatter"))("%s in every container", ([, kind, source]) => {
    for (const [first, others] of [
      ["> ", "> "],
      ["- ", "  "],
      ["12. ", "    "],
      ["- [ ] a\n\n  ", "  "],
      ["[^1]: a\n\n    ", "    "],
      ["> - ", ">   "],
    ]) {
      const text = `a[^1]\n\n${first}${source.replaceAll("\n", `\n${others}`)}\n\nend`;
      expect(rawOf(holdsForText(text).doc), text).toEqual([[kind, source]]);
    }
  });

  test.for(inlines)("%s within a line", ([, kind, source]) => {
    for (const text of [
      `a ${source} b`,
      `${source} b`,
      `*${source}*`,
      `# ${source}`,
      `- [a ${source}](u)`,
      `a\\\n${source} b`,
    ]) {
      // At the beginning of a line it would be a block.
      if (/^<(?:!|\?)/.test(source) && /^</m.test(text)) continue;
      const { doc, markdown } = holdsForText(text);
      expect(rawOf(doc), text).toContainEqual([kind, source]);
      expect(markdown).toContain(source);
    }
    const cell = holdsForText(`| a ${source.replaceAll("|", "\\|")} |\n| - |`);
    expect(rawOf(cell.doc)).toEqual([[kind, source]]);
  });

  test("the id of a block, at its end only", () => {
    expect(rawOf(holdsForText("a b ^c-1\n\n- d ^e\n\n^f").doc)).toEqual([
      ["blockId", "^c-1"],
      ["blockId", "^e"],
      ["blockId", "^f"],
    ]);
    expect(rawOf(holdsForText("a ^b c\n\na^b\n\na \\^b").doc)).toEqual([]);
  });

  test("right after a list it stays there: with a blank line other readers would show another page", () => {
    const text = "1. a\n\n2. b\n\n   c\n</Steps>\n\nd\n:::x\ne\n:::\n</Box>\n";
    const tight = "<Steps>\n1. a\n2. b\n</Steps>\n";
    expect(holdsForText(tight).markdown).toBe(tight);
    expect(holdsForText("- a\n\n  b\n</Steps>\n").markdown).toBe("- a\n\n  b\n</Steps>\n");
    expect(holdsForText(text).markdown).toBe(text);
  });
});

describe("what only looks like one", () => {
  test.for([
    ["a comment that never ends", "<!-- a\n\nb"],
    ["a directive that never ends", ":::x\n\nb"],
    ["rules with text between", "***\n\na\n\n---"],
    ["a rule and text", "---\n\na: b\n\n---"],
    ["a sign before a space", "a < b > c"],
    ["an escaped tag", "\\<div>\n\na \\<kbd>"],
    ["an emoji and a time", ":smile: 10:30:45"],
    ["a link after a word", ":a[b](c)"],
  ])("is read as ever: %s", ([, text = ""]) => {
    expect(rawOf(holdsForText(text).doc)).toEqual([]);
  });

  test("tags of marks and breaks are marks and breaks; an image that says no more than an image is one", () => {
    const { doc } = holdsForText('a <u>b</u> <br> <img src="/c.png" alt="d" title="e &amp; f">');
    expect(rawOf(doc)).toEqual([]);
    const image = [...nodesOf(doc)].find((node) => node.type === "image");
    expect(image?.attrs).toEqual({ src: "/c.png", alt: "d", title: "e & f" });
  });

  test("a definition that a link uses is that link, wherever it stands", () => {
    const { doc } = holdsForText("- [a]: /b\n\n  c [a]\n\n> [d]: /e\n\n[d] [f]\n\n[f]: /g\n\n[f]: /h");
    expect(rawOf(doc)).toEqual([["linkDefinition", "[f]: /h"]]);
  });

  test("an image as a data: URL is refused in a tag too", () => {
    const source = '<p><img src="data:image/png;base64,AA"></p>';
    expect(() => parseMarkdown(`a\n\n${source}`)).toThrow(expect.objectContaining({ code: "INLINE_IMAGE", line: 3 }));
    const doc = asDocument([{ type: "rawBlock", attrs: { kind: "html", source, tight: false } }]);
    expect(validate(doc)).toMatchObject({ ok: false, issues: [{ code: "INLINE_IMAGE" }] });
    expect(() => serializeMarkdown(doc)).toThrow(expect.objectContaining({ code: "INLINE_IMAGE" }));
  });
});

describe("a source that would be read otherwise", () => {
  const raw = (type: string, kind: string, source: string): Json => ({ type, attrs: { kind, source } });

  test.for([
    ["html", "# a"],
    ["html", "<div>\n\n# a"],
    ["comment", "<!-- a"],
    ["directive", ":::a"],
    ["definitionList", "a"],
    ["frontMatter", "a: b"],
    ["other", "<div>"],
  ])("becomes code, and is reported: %s %j", ([kind = "", source = ""]) => {
    const { doc, changes } = normalize(asDocument([raw("rawBlock", kind, source)]));
    expect(doc.content).toEqual([
      { type: "codeBlock", attrs: { language: null }, content: [{ type: "text", text: source }] },
    ]);
    expect(changes).toHaveLength(1);
  });

  test.for([
    ["html", "<u>"],
    ["html", "a"],
    ["comment", "<!--"],
    ["directive", ":a"],
    ["other", "<kbd>"],
  ])("becomes text within a line, and is reported: %s %j", ([kind = "", source = ""]) => {
    const { doc, changes } = normalize(asDocument([{ type: "paragraph", content: [raw("rawInline", kind, source)] }]));
    expect(doc.content[0]?.content).toEqual([{ type: "text", text: source }]);
    expect(changes).toHaveLength(1);
  });
});

describe("what a page, a search and an edit make of it", () => {
  test("HTML shows the source as code, never as HTML; comments, front matter and definitions are not shown", () => {
    const html = toHtml(
      parseMarkdown("---\na: b\n---\n\n<script>x</script>\n\nc <b onclick=x> <!-- d -->\n\n[e]: /f\n\ng ^h"),
    );
    expect(html).toBe(
      "<pre><code>&lt;script&gt;x&lt;/script&gt;\n</code></pre>\n<p>c <code>&lt;b onclick=x&gt;</code> </p>\n<p>g ^h</p>\n",
    );
  });

  test("plain text holds the words that a reader would see", () => {
    const sources = blocks.flatMap(([, kind, source]) => (kind === "frontMatter" ? [] : [source]));
    const text = sources.join("\n\n");
    expect(toPlainText(parseMarkdown(text)).split("\n")).toEqual(
      expect.arrayContaining(["*b*", "A b", "- d", "e", "A video", "Term", "One", "Two", "code", "c d"]),
    );
    expect(toPlainText(parseMarkdown("a <kbd>b</kbd> <!-- c --> :abbr[HTML]{title=x}"))).toBe("a b  HTML");
  });

  test.for([
    ["<Steps>\n1. <kbd>Add a new site</kbd>를 b\n</Steps>", "1. Add a new site를 b"],
    ["<p>a<code class='x'>b</code>c</p><p>d<br>e</p>", "abc d e"],
    ["<div>\n<Card>a</Card><Card>b</Card>\n</div>", "a b"],
    [":::Steps\n<td>a</td><td><a href='/u'>b</a>c</td>\n:::", "a bc"],
    ["<details>\n<summary>`loader`가 없는 [e](/u)</summary>\n\nb\n\n</details>", "`loader`가 없는 [e](/u)\nb"],
    ["> [!NOTE] `base`가 *a*\n> b", "base가 a\nb"],
  ])("plain text parts words where a page does: %j is %j", ([markdown = "", words]) => {
    expect(toPlainText(holdsForText(markdown).doc)).toBe(words);
  });

  test.for([
    '<LinkCard\ntitle="x" href="/y" />\n',
    "- a\n\n  <Badge\n  />\n",
    "1. a\n\n   :::caution\n        b\n\n     ```js\n     c\n     ```\n   :::\n",
    ":::note\n    b\n:::\n",
  ])("is written as other readers show it, without a guard: %j", (markdown) => {
    expect(holdsForText(markdown).markdown).toBe(markdown);
    for (const renderer of renderers) expect(pageOf(renderer, markdown)).not.toContain("<u>");
  });

  test("a tag over several lines stays one, whatever is around it: other readers show the same page", () => {
    for (const text of [
      '<LinkCard\n  title="x"\n  href="/y"\n/>',
      "> a\n>\n> <Card\n>   x\n> />",
      "- <A\n  b='c' />\n- d",
    ]) {
      const { markdown } = holdsForText(text);
      for (const renderer of renderers) expect(pageOf(renderer, markdown)).toBe(pageOf(renderer, text));
    }
  });

  test("a directive whose title has a bar is a callout with blank lines, and below it a rule of as many columns makes a table", () => {
    for (const body of ["Text", "- a", "---"]) {
      const { doc, markdown } = holdsForText(`:::info[A | B]\n${body}\n:::\n`);
      expect(doc.content[0]).toMatchObject({ type: "callout", attrs: { title: "A | B", fence: "loose" } });
      expect(markdown).toBe(`:::info[A | B]\n\n${body}\n\n:::\n`);
      const afterText = `a\n:::info[A | B]\n${body}\n:::\n`;
      expect(holdsForText(afterText).markdown).toBe(afterText);
    }
    expect(holdsForText(":::info[A | B]\n:::\n").doc.content[0]?.type).toBe("callout");
    for (const rule of ["-|-", "|-|-|", ":-: | --:", "  | - | - |"])
      expect(holdsForText(`:::info[A | B]\n${rule}\n:::\n`).doc.content[0]?.type).toBe("table");
  });

  test("what is put at the beginning comes after the front matter", () => {
    const doc = parseMarkdown("---\na: b\n---\n\n# c");
    expect(serializeMarkdown(prepend(doc, parseMarkdown("d")))).toBe("---\na: b\n---\n\nd\n\n# c\n");
    const both = append(parseMarkdown("e"), doc);
    expect(serializeMarkdown(both)).toBe("e\n\n```\n---\na: b\n---\n```\n\n# c\n");
  });
});

test("a construct in a container that is looked at by itself leaves the depth of what follows as it was", () => {
  const deep = `${"- ".repeat(60)}core`;
  expect(serializeMarkdown(parseMarkdown(`> :::x\n> a\n> :::\n\n${deep}`))).toContain("core");
  expect(toPlainText(holdsForText(`- b\n  : c\n\n  d\n  ${"- ".repeat(60)}core`).doc)).toContain("core");
});
