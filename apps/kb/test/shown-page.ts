import { posix } from "node:path";
import MarkdownIt from "markdown-it";

const markdownIt = new MarkdownIt({ html: true, linkify: true });

/** Maps an address in a file to what both sides of a comparison call it; undefined keeps it. */
export type TargetOf = (address: string) => string | undefined;

const kept =
  /^(?:a|img|h[1-6]|li|ol|pre|code|strong|em|s|del|mark|sub|sup|blockquote|tr|th|td|hr|input|details|summary)$/;

/**
 * Returns what a reader sees of Markdown, by a renderer that is not ours: the text, its formats, and links and pictures with
 * the names of their targets. White space, the case of callouts and looseness of lists are not seen.
 */
export function shownMarkdown(markdown: string, targetOf: TargetOf): string {
  return shownHtml(markdownIt.render(withoutFrontMatter(markdown)), targetOf);
}

/** Returns what a reader sees of HTML. */
export function shownHtml(html: string, targetOf: TargetOf): string {
  const parts: string[] = [];
  for (const [whole, tag] of html.matchAll(/<!--[\s\S]*?-->|(<[!/?A-Za-z][^<>]*>)|[^<]+|</g)) {
    if (tag !== undefined) parts.push(shownTag(tag, targetOf));
    else if (!whole.startsWith("<!--")) parts.push(whole.replaceAll(/\s+/g, " "));
  }
  return parts
    .join("")
    .replaceAll(/\[!(\w+)\]/g, (mark) => mark.toLowerCase())
    .replaceAll(/\s*(<[^>]*>)\s*/g, "$1")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Returns only the words, and the targets of links and pictures, for sources whose blocks Markdown writes in other tags. */
export const wordsAndTargets = (shown: string): string =>
  shown
    .replaceAll(/<(?!a |img )[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

function shownTag(tag: string, targetOf: TargetOf): string {
  const [, slash = "", name = ""] = /^<(\/?)([A-Za-z][\w.-]*)/.exec(tag) ?? [];
  const lower = name.toLowerCase();
  if (!kept.test(lower)) return " ";
  if (slash !== "" || (lower !== "a" && lower !== "img")) return `<${slash}${lower}>`;
  const [, address = ""] = /(?:href|src)="([^"]*)"/.exec(tag) ?? [];
  const written = address.replaceAll("&amp;", "&");
  return `<${lower} ${targetOf(written) ?? written}>`;
}

const withoutFrontMatter = (markdown: string): string => markdown.replace(/^---\n[\s\S]*?\n---\n/, "");

/** Resolves a relative address from a file; undefined for addresses elsewhere. */
export function pathOf(address: string, from: string): { path: string; fragment: string } | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|#)/i.test(address)) return undefined;
  const [path = "", fragment = ""] = address.split("#");
  const joined = path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(from), decodeURIComponent(path));
  return { path: decodeURIComponent(joined), fragment: fragment === "" ? "" : `#${fragment}` };
}
