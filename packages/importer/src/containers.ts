import { type DocJSON, type NodeJSON, parseMarkdown } from "markdown-codec";

// As VitePress (`::: tip Title`) and Outline (`:::info`, with an empty line only before the end) write them. Text that looks
// like directives of other products stays as it is.
const vitePress = /^:::[ \t]+(info|tip|note|warning|danger|caution|details)(?:[ \t]+([^\n]+))?\n([\s\S]*?)\n:::$/;
const outline = /^:::(info|tip|warning|success)()\n(?!\n)([\s\S]*?)\n\n:::$/;

/** Returns a document with callouts and details in place of the containers that the codec keeps as they are written. */
export function withContainers(doc: DocJSON): DocJSON {
  const content = doc.content.map((node) => containerOf(node) ?? node);
  return content.every((node, index) => node === doc.content[index]) ? doc : { ...doc, content };
}

function containerOf({ type, attrs }: NodeJSON): NodeJSON | null {
  if (type !== "rawBlock" || attrs?.kind !== "directive") return null;
  const source = String(attrs.source).trimEnd();
  const [whole, kind = "", named = "", inner = ""] = vitePress.exec(source) ?? outline.exec(source) ?? [];
  if (whole === undefined || /^:::/m.test(inner)) return null;
  const title = named.trim() || null;
  const { content } = parseMarkdown(inner, { cjkFriendly: true });
  if (kind === "details") return { type: "details", attrs: { summary: title, open: false }, content };
  const fence = title === null || !/[[\]{}]/.test(title) ? "loose" : null;
  return { type: "callout", attrs: { kind, title, folded: null, fence }, content };
}
