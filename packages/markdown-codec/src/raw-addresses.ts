/** Returns the address that takes the place of the given one, or undefined to keep it. */
export type ReplaceAddress = (address: string) => string | undefined;

/** The constructs whose source has links that a reader of the page would follow. */
const KINDS = new Set<unknown>(["html", "directive", "definitionList", "table"]);
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
/**
 * The start of an element whose text is code; code within a line; the address of a link or an image, with balanced
 * parentheses or between `<` and `>`; an attribute with an address, up to its own quote.
 */
const ADDRESS =
  /<(pre|code|script|style|textarea)\b|`[^`]*`|(\]\()(<[^<>]*>|[^()<>\s]*(?:\([^()<>\s]*\)[^()<>\s]*)*)(?=[)\s])|(\s(?:href|src|poster)\s*=\s*)(["'])([^<>]*?)\5/gi;

/** Replaces the addresses in the source of a raw construct: those of Markdown links and of HTML attributes, outside of code. */
export function mapRawAddresses(kind: unknown, source: string, replace: ReplaceAddress): string {
  if (!KINDS.has(kind)) return source;
  const inElement = outsideCodeElements(replace);
  let fence: string | undefined;
  const lines = source.split("\n").map((line) => {
    const signs = FENCE.exec(line)?.[1];
    const isCode = fence !== undefined || signs !== undefined;
    if (fence === undefined) fence = signs;
    else if (signs?.startsWith(fence)) fence = undefined;
    return isCode ? line : inElement(line);
  });
  return lines.join("\n");
}

/** Returns a function that maps one line after the other, and knows in which element of code the last one ended. */
function outsideCodeElements(replace: ReplaceAddress): (line: string) => string {
  let element: string | undefined;
  return (line) => {
    const folded = line.toLowerCase();
    let mapped = "";
    let at = 0;
    while (at < line.length) {
      if (element !== undefined) {
        const end = folded.indexOf(`</${element}`, at);
        if (end === -1) return mapped + line.slice(at);
        mapped += line.slice(at, end);
        at = end;
        element = undefined;
      }
      ADDRESS.lastIndex = at;
      const match = ADDRESS.exec(line);
      if (match === null) return mapped + line.slice(at);
      mapped += line.slice(at, match.index) + mapMatch(match, replace);
      at = ADDRESS.lastIndex;
      element = match[1]?.toLowerCase();
    }
    return mapped;
  };
}

function mapMatch(
  [whole, , bracket, link = "", name, quote = "", value = ""]: RegExpExecArray,
  replace: ReplaceAddress,
) {
  if (bracket !== undefined) {
    const isEnclosed = link.startsWith("<");
    const address = isEnclosed ? link.slice(1, -1) : link;
    const replaced = replace(address) ?? address;
    return bracket + (isEnclosed ? `<${replaced}>` : replaced);
  }
  if (name === undefined) return whole;
  const replaced = replace(value.replaceAll("&amp;", "&"))?.replaceAll("&", "&amp;") ?? value;
  return name + quote + replaced + quote;
}
