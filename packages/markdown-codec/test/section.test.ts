import { describe, expect, test } from "vitest";
import {
  headings,
  insertAfterHeading,
  outline,
  parseMarkdown,
  replaceSection,
  section,
  serializeMarkdown,
  toReadingHtml,
} from "../src/index.ts";

const doc = parseMarkdown(
  "intro[^a]\n\n# One\n\nfirst[^b]\n\n## Below\n\n- x\n\n# Two\n\nsecond\n\n> ## Quoted\n>\n> inside\n\n[^a]: note a\n\n[^b]: note b, see[^c]\n\n[^c]: note c",
);
const markdownOf = (heading: string): string => serializeMarkdown(section(doc, heading));

test("a section is its heading, all below it up to one of the same or a higher level, and its footnotes", () => {
  expect(markdownOf(" one ")).toBe("# One\n\nfirst[^b]\n\n## Below\n\n- x\n\n[^b]: note b, see[^c]\n\n[^c]: note c\n");
  expect(markdownOf("BELOW")).toBe("## Below\n\n- x\n");
});

test("a section in a quote ends with the quote", () => {
  expect(markdownOf("Quoted")).toBe("## Quoted\n\ninside\n");
});

test("a heading that is not there is HEADING_NOT_FOUND", () => {
  expect(() => markdownOf("Three")).toThrow(expect.objectContaining({ code: "HEADING_NOT_FOUND" }));
});

describe("a heading is named by", () => {
  const many = parseMarkdown(
    "# Plan\n\n1\n\n## Plan\n\n2\n\n## *Two* \\[words] {#two}\n\n3\n\n### Über uns\n\n4\n\n### Über uns\n\n5\n\n# C# notes\n\n6\n\n# \\# 7\n\n8",
  );
  const firstOf = (heading: string): string | undefined =>
    section(many, heading).content.find((node) => node.type === "paragraph")?.content?.[0]?.text;

  test.each([
    ["its text, whatever the case and the spaces", "  plan ", "1"],
    ["its line, which tells the level", "## Plan", "2"],
    ["its line in another case", "##  PLAN  ", "2"],
    ["its line as Markdown writes it", "## *Two* \\[words] {#two}", "3"],
    ["its text as Markdown writes it", "*Two* \\[words]", "3"],
    ["its text without marks", "two [words]", "3"],
    ["its own anchor", "#two", "3"],
    ["the anchor that HTML gives it", "#über-uns", "4"],
    ["the anchor of the second of the same words", "#über-uns-2", "5"],
    ["an anchor from the address of a page", "#%C3%BCber-uns", "4"],
    ["a text with a sign of its own", "C# notes", "6"],
    ["a text that begins with a sign", "# 7", "8"],
  ])("%s", (_, heading, first) => {
    expect(firstOf(heading)).toBe(first);
  });

  test.each(["### Plan", "#plan-9", "#", "##", "Plan\n1", "![x](data:image/png;base64,AAAA)", "%"])(
    "nothing else: %j is HEADING_NOT_FOUND",
    (heading) => {
      expect(() => section(many, heading)).toThrow(expect.objectContaining({ code: "HEADING_NOT_FOUND" }));
    },
  );
});

describe("the headings of a document", () => {
  const page = parseMarkdown(
    "# Log\n\n> ## Log\n\n## LOG {#own}\n\n1\n\n### Log\n\n2\n\n# Log 2\n\n## Über uns\n\n- # log\n\n[^log]: note",
  );

  test("have the addresses that the page gives them, and each names its heading", () => {
    const ids = [...toReadingHtml(page).matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => `#${id}`);
    const listed = headings(page);
    expect(listed.map(({ anchor }) => anchor)).toEqual(ids);
    expect(listed.map(({ level, text }) => ({ level, text }))).toEqual(
      outline(page).map(({ level, text }) => ({ level, text })),
    );
    for (const { text, level, anchor } of listed) {
      const named = section(page, anchor).content[0];
      expect([named?.attrs?.level, named?.content?.[0]?.text], anchor).toEqual([level, text]);
    }
  });

  test("say which have the text of an earlier one", () => {
    expect(headings(page).map(({ repeated }) => repeated)).toEqual([false, true, true, true, false, false, true]);
    expect(
      headings(page).every(({ anchor }, index) => headings(page, anchor)[0]?.anchor === headings(page)[index]?.anchor),
    ).toBe(true);
  });

  test("of a section are its own, with the same addresses", () => {
    expect(headings(page, "#own").map(({ anchor }) => anchor)).toEqual(["#own", "#log-3"]);
    expect(headings(page, "#log-2").map(({ anchor }) => anchor)).toEqual(["#log-2"]);
    expect(headings(page, "Log 2").map(({ anchor }) => anchor)).toEqual(["#log-2-2", "#über-uns", "#log-4"]);
    expect(() => headings(page, "Absent")).toThrow(expect.objectContaining({ code: "HEADING_NOT_FOUND" }));
  });
});

describe("Markdown that begins with the heading of the section it replaces", () => {
  const page = parseMarkdown("# Top\n\n## Plan {#p}\n\nold\n\n## Next");
  const replaced = (markdown: string): string => serializeMarkdown(replaceSection(page, "plan", markdown));

  test.each([
    ["does not double it", "## Plan\n\nnew", "new\n\n"],
    ["does not double it in another case or with marks", "## **PLAN**\n\nnew", "new\n\n"],
    ["does not double it with an id or of a higher level", "# Plan {#q}\n\nnew", "new\n\n"],
    ["empties the section where nothing follows", "## Plan", ""],
    ["keeps a deeper heading of the same words", "### Plan\n\nnew", "### Plan\n\nnew\n\n"],
    ["keeps another heading", "## Plans\n\nnew", "## Plans\n\nnew\n\n"],
  ])("%s", (_, markdown, content) => {
    expect(replaced(markdown)).toBe(`# Top\n\n## Plan {#p}\n\n${content}## Next\n`);
  });

  test("is inserted as it is where it replaces nothing", () => {
    const after = serializeMarkdown(insertAfterHeading(page, "plan", "## Plan"));
    expect(after).toBe("# Top\n\n## Plan {#p}\n\n## Plan\n\nold\n\n## Next\n");
  });
});
