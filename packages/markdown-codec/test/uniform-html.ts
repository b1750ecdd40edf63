// Not the description of images: markdown-it leaves out the characters that are escaped in it.
const KEPT = /^(?:align|href|src|start|title)$/;

/** HTML without the ways in which readers show the same thing: other tags, other entities, attributes of style. */
export function uniform(html: string): string {
  return html
    .replace(/<(\/?)s>/g, "<$1del>")
    .replace(/<li([^<>]*)>\s*(<input [^<>]*>)\s*<p>/g, "<li$1><p>$2 ")
    .replace(/<input [^<>]*>/g, (input) => (/\bchecked\b/.test(input) ? "[x]" : "[ ]"))
    .replace(/style="text-align: ?(\w+)"/g, 'align="$1"')
    .replace(/<([a-z][\w-]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*(\/?)>/gi, (_, name: string, attributes: string) => {
      const kept = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].filter(([, key = ""]) => KEPT.test(key));
      return `<${name}${kept
        .map(([, key, value]) => ` ${key}="${addressOf(value ?? "")}"`)
        .sort()
        .join("")}>`;
    })
    .replace(/&(?:quot|#x22|#34);/g, '"')
    .replace(/&(?:#x27|#39);/g, "'")
    .replace(/&#x26;/g, "&amp;")
    .replace(/&#x3C;/gi, "&lt;")
    .replace(/&gt;/g, ">");
}

function addressOf(value: string): string {
  try {
    return decodeURI(value);
  } catch {
    return value;
  }
}
