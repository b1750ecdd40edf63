import { posix } from "node:path";
import { type DocJSON, type NodeJSON, parseMarkdown } from "markdown-codec";

const id = / ?[0-9a-f]{32}(?=$|_all$)/;

/** Returns whether a Notion export wrote a file or folder of this name: it ends in the id of a page. */
export const isNotionName = (path: string): boolean => id.test(posix.parse(path).name);

/** Returns the name without the id that Notion adds. */
export const withoutNotionId = (name: string): string => name.replace(id, "").replace(/_all$/, "").trim() || name;

/**
 * Returns a document with callouts in place of Notion's `<aside>`. Its text begins in the line of the tag, so that Markdown
 * readers take it for HTML.
 */
export function withNotionCallouts(doc: DocJSON): DocJSON {
  const content: NodeJSON[] = [];
  let opened = -1;
  for (const node of doc.content) {
    const source = sourceOf(node);
    if (opened === -1 && /^<aside>/.test(source)) opened = content.length;
    content.push(node);
    if (opened === -1 || !/<\/aside>\s*$/.test(source)) continue;
    content.splice(opened, content.length, calloutOf(content.slice(opened)));
    opened = -1;
  }
  return content.length === doc.content.length && content.every((node, index) => node === doc.content[index])
    ? doc
    : { ...doc, content };
}

const sourceOf = ({ type, attrs }: NodeJSON): string =>
  type === "rawBlock" && attrs?.kind === "html" ? String(attrs.source) : "";

function calloutOf(nodes: NodeJSON[]): NodeJSON {
  const content = nodes.flatMap((node) => {
    const source = sourceOf(node);
    if (source === "") return [node];
    const inner = source.replace(/^<aside>\s*/, "").replace(/\s*<\/aside>\s*$/, "");
    return inner === "" ? [] : parseMarkdown(inner, { cjkFriendly: true }).content;
  });
  const blocks = content.length === 0 ? [{ type: "paragraph" }] : content;
  return { type: "callout", attrs: { kind: "note", title: null, folded: null, fence: null }, content: blocks };
}
