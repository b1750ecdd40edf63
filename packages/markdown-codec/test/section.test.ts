import { expect, test } from "vitest";
import { parseMarkdown, section, serializeMarkdown } from "../src/index.ts";

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
