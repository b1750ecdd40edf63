const block =
  /^(?:address|blockquote|body|dd|div|dl|dt|figure|h[1-6]|hr|input|li|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul)$/;
const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', amp: "&", "#39": "'" };

/**
 * HTML as the specification's own test runner compares it: white space between blocks and runs of it elsewhere do
 * not count, nor does the order of attributes, nor which optional entities are written.
 */
export function htmlReading(html: string): string {
  const parts = html.match(/<pre>[\s\S]*?<\/pre>|<[a-zA-Z/][^>]*>|[^<]+|</g) ?? [];
  let out = "";
  for (const part of parts) out += part.startsWith("<pre>") ? preformatted(part) : piece(part, out);
  return out.trim();
}

function preformatted(part: string): string {
  return `${part.replace(/<code[^>]*>/, tag).replace(/&(\w+|#39);/g, entity)}`;
}

function piece(part: string, before: string): string {
  if (part.startsWith("<") && part.length > 1) return tag(part);
  const text = part.replace(/\s+/g, " ").replace(/&(\w+|#39);/g, entity);
  const afterBlock = before === "" || isBlockTag(before.slice(before.lastIndexOf("<")));
  return afterBlock ? text.trimStart() : text;
}

function isBlockTag(tail: string): boolean {
  const name = /^<\/?([a-z0-9]+)[^>]*>$/.exec(tail)?.[1];
  return name === "br" || (name !== undefined && block.test(name));
}

function entity(whole: string, name: string): string {
  return entities[name] ?? whole;
}

/** A tag with its attributes in order; `<br />` as `<br>`; text before a block's tag loses its last space elsewhere. */
function tag(source: string): string {
  const [, slash = "", name = "", rest = ""] = /^<(\/?)([a-zA-Z0-9-]+)([\s\S]*?)\/?>$/.exec(source) ?? [];
  const attributes = [...rest.matchAll(/([a-zA-Z-]+)(?:="([^"]*)")?/g)].map(
    ([, key, value]) => ` ${key}="${(value ?? "").replace(/&(\w+|#39);/g, entity)}"`,
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
