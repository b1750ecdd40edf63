import { parseMarkdown, toReadingHtml } from "markdown-codec";
import { describe, expect, it } from "vitest";
import { directionOf, directionOfHtml } from "../src/client/reading/text-direction.ts";

describe("the direction of a document", () => {
  it.each([
    ["", undefined],
    ["12 – 3.5 % 🎉", undefined],
    ["12 pages", "ltr"],
    ["漢字", "ltr"],
    ["1. مرحبا hello", "rtl"],
    ["שלום", "rtl"],
    ["ދިވެހި", "rtl"],
  ])("of the text %j is that of its first letter", (text, direction) => {
    expect(directionOf(text)).toBe(direction);
  });

  it.each([
    ["", undefined],
    ["---\n\n1 &lt; 2\n", undefined],
    ["---\n\n![](/files/picture.png)\n\nمرحبا\n\nHello\n", "rtl"],
    ["> &amp; **Hello** مرحبا\n", "ltr"],
    ["| ١ | שלום |\n| --- | --- |\n| a | b |\n", "rtl"],
    ["> [!NOTE]\n> مرحبا\n", "rtl"],
  ])("of %j as HTML is that of the first letter that it shows", (markdown, direction) => {
    expect(directionOfHtml(toReadingHtml(parseMarkdown(markdown)))).toBe(direction);
  });
});
