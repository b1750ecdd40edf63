/** Returns the address that takes the place of the given one, or undefined to keep it. */
export type ReplaceAddress = (address: string) => string | undefined;

/** The constructs whose source has links that a reader of the page would follow. */
const KINDS = new Set<unknown>(["html", "directive", "definitionList", "table"]);
const CODE_ELEMENT = /^<(?:pre|script|style|textarea)\b/i;
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
/** Code within a line, the address of a link or an image, or an attribute with an address. */
const ADDRESS = /`[^`]*`|(\]\(<?)([^()<>\s]+)|(\s(?:href|src|poster)\s*=\s*["'])([^"'<>]*)/gi;

/** Replaces the addresses in the source of a raw construct: those of Markdown links and of HTML attributes, outside of code. */
export function mapRawAddresses(kind: unknown, source: string, replace: ReplaceAddress): string {
  if (!KINDS.has(kind) || CODE_ELEMENT.test(source)) return source;
  let fence: string | undefined;
  const lines = source.split("\n").map((line) => {
    const signs = FENCE.exec(line)?.[1];
    const isCode = fence !== undefined || signs !== undefined;
    if (fence === undefined) fence = signs;
    else if (signs?.startsWith(fence)) fence = undefined;
    return isCode ? line : mapLine(line, replace);
  });
  return lines.join("\n");
}

function mapLine(line: string, replace: ReplaceAddress): string {
  return line.replace(ADDRESS, (whole, bracket?: string, link = "", name?: string, attribute = "") => {
    if (bracket !== undefined) return bracket + (replace(link) ?? link);
    if (name === undefined) return whole;
    return name + (replace(attribute.replaceAll("&amp;", "&"))?.replaceAll("&", "&amp;") ?? attribute);
  });
}
