const block =
  /^(?:address|blockquote|body|dd|div|dl|dt|figure|h[1-6]|hr|input|li|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul|br)$/;

/**
 * HTML as the specification's own test runner compares it: white space beside blocks and runs of it elsewhere do not
 * count, nor does the order of attributes, nor whether a quotation mark in text is written as an entity.
 */
export function htmlReading(html: string): string {
  const parts = html.match(/<pre>[\s\S]*?<\/pre>|<\/?[a-zA-Z][^>]*>|<|[^<]+/g) ?? [];
  return parts
    .map((part, index) => {
      if (part.startsWith("<pre>")) return part.replace(/<code[^>]*>/, tag).replaceAll("&quot;", '"');
      if (/^<\/?[a-zA-Z]/.test(part)) return tag(part);
      const text = part.replace(/\s+/g, " ").replaceAll("&quot;", '"');
      const start = isBlock(parts[index - 1]) ? text.trimStart() : text;
      return isBlock(parts[index + 1]) ? start.trimEnd() : start;
    })
    .join("");
}

function isBlock(part: string | undefined): boolean {
  const name = /^<\/?([a-zA-Z0-9]+)/.exec(part ?? "<p>")?.[1]?.toLowerCase();
  return name !== undefined && block.test(name);
}

/** A tag with its attributes in order, and `<br />` as `<br>`. */
function tag(source: string): string {
  const [, slash = "", name = "", rest = ""] = /^<(\/?)([a-zA-Z0-9-]+)([\s\S]*?)\/?>$/.exec(source) ?? [];
  const attributes = [...rest.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)].map(
    ([, key, value]) => ` ${key}="${value ?? ""}"`,
  );
  return `<${slash}${name}${attributes.sort().join("")}>`;
}

/** The same without the paragraphs of list items: whether a list is loose is not part of a document here. */
export function withoutLooseness(reading: string): string {
  let depth = 0;
  return reading.replace(/<(\/?)(li|p)>/g, (whole, slash: string, name: string) => {
    if (name === "li") depth += slash ? -1 : 1;
    return name === "p" && depth > 0 ? "" : whole;
  });
}
