const AT = /!?\[\[(?!\^)([^[\]|\\\n]+)(?:\|([^[\]|\\\n]+))?\]\](?![([])/y;

/** The end of the link `[[page]]`, `[[page|text]]` or `![[file]]` that begins at `start`, or -1. */
export function wikiLinkEnd(src: string, start: number): number {
  AT.lastIndex = start;
  return AT.test(src) ? AT.lastIndex : -1;
}

/** True for the source of a link to a page. */
export function isWikiLink(source: string): boolean {
  return wikiLinkEnd(source, 0) === source.length;
}

/** The page that the link names, and the words that it shows. */
export function readWikiLink(source: unknown): { target: string; text: string } {
  AT.lastIndex = 0;
  const [, target = "", text = target] = AT.exec(String(source)) ?? [];
  return { target, text };
}
