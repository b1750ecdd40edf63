import { extension } from "./syntax/extension.ts";

/** The constructs without a node of their own that are kept as blocks, byte for byte. */
export const RAW_BLOCKS: readonly string[] = [
  "frontMatter",
  "html",
  "comment",
  "directive",
  "definitionList",
  "linkDefinition",
  "table",
];

/** The constructs without a node of their own that are kept within a line, byte for byte. */
export const RAW_INLINES: readonly string[] = ["html", "comment", "directive", "blockId"];

// An image tag with a data: URL is an image all the same: it is refused as any other.
const DATA_IMAGE = /<img\s(?:[^<>]*\s)?src\s*=\s*["']?\s*data:/i;

/** True for HTML that shows an image from a `data:` URL. */
export function holdsDataImage(source: string): boolean {
  return DATA_IMAGE.test(source);
}

const TAG = /<(?![A-Za-z][A-Za-z0-9+.-]*:)[!/?A-Za-z][^<>]*>/g;
// Tags that stand within words: the text around them is one word. All others part words, as blocks and pictures do.
const WORD_TAG =
  /<\/?(?:a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)(?=[\s/>])[^<>]*>/gi;
const DIRECTIVE = /^[ \t]*:{1,}[ \t]*[\w-]*(?:\[([^\]\n]*)\])?(?:\{[^{}\n]*\})?/gm;

/** The words of a raw construct that a reader of the page would see, one block a line. */
export function visibleText(kind: unknown, source: unknown): string {
  const text = typeof source === "string" ? source : "";
  switch (kind) {
    case "html":
      return tidied(withoutTags(withoutComments(text)));
    case "directive":
      return withoutMarkup(text.replace(DIRECTIVE, (_, label = "") => label));
    case "definitionList":
      return withoutMarkup(text.replace(/^[ \t]*:[ \t]/gm, ""));
    case "table":
      return tidied(text.replace(/^[ \t|:-]+$/gm, "").replaceAll("|", " "));
  }
  return extension()?.words(String(kind), text) ?? "";
}

// Text that may hold any Markdown: without the addresses of links and the signs around words. Code stays.
function withoutMarkup(text: string): string {
  const words = text.split(/(`+[^`]*`+)/).map((part, index) => {
    if (index % 2 === 1) return part.replaceAll("`", "");
    return withoutTags(withoutComments(part).replace(/\]\([^()\n]*\)/g, "]")).replace(/[[\]*]/g, "");
  });
  return tidied(words.join(""));
}

const withoutTags = (text: string): string => text.replace(WORD_TAG, "").replace(TAG, " ");

function withoutComments(text: string): string {
  const end = text.lastIndexOf("-->");
  return end === -1 ? text : text.slice(0, end + 3).replace(/<!--(?:-?>|[\s\S]*?-->)/g, " ") + text.slice(end + 3);
}

function tidied(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/[ \t]+/g, " ").trim());
  return lines.filter((line) => line !== "").join("\n");
}
