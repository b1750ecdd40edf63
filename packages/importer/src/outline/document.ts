import { type DocJSON, isSafeUrl, type MarkJSON, type NodeJSON } from "markdown-codec";
import { z } from "zod";

/** Names of Outline's nodes that only have another name here. */
const names: Readonly<Record<string, string>> = {
  paragraph: "paragraph",
  blockquote: "blockquote",
  bullet_list: "bulletList",
  list_item: "listItem",
  checkbox_list: "taskList",
  hr: "horizontalRule",
  table: "table",
  tr: "tableRow",
};

const marksByName: Readonly<Record<string, string>> = {
  strong: "bold",
  em: "italic",
  strikethrough: "strike",
  underline: "underline",
  highlight: "highlight",
  code_inline: "code",
};

const calloutKinds: Readonly<Record<string, string>> = {
  info: "info",
  tip: "tip",
  warning: "warning",
  success: "success",
};

const Node = z.object({
  type: z.string(),
  attrs: z.record(z.string(), z.unknown()).nullish(),
  content: z.array(z.unknown()).nullish(),
  marks: z.array(z.object({ type: z.string(), attrs: z.record(z.string(), z.unknown()).nullish() })).nullish(),
  text: z.string().nullish(),
});

type OutlineNode = z.output<typeof Node>;

/** The settings for reading an Outline export: new addresses, and a report of content that a document cannot show. */
export type OutlineReading = {
  readonly addressOf: (address: string) => string;
  readonly onLeftOut: (what: string) => void;
};

/** Reads the editor JSON of Outline into a document. Unknown nodes are reported, and what they contain is kept. */
export function outlineDocument(data: unknown, reading: OutlineReading): DocJSON {
  const content = childrenOf(Node.safeParse(data).data ?? { type: "doc" }, reading, 0);
  return { type: "doc", content: content.length === 0 ? [{ type: "paragraph" }] : content };
}

const maxDepth = 200;

function childrenOf({ content }: OutlineNode, reading: OutlineReading, depth: number): NodeJSON[] {
  if (depth > maxDepth) return [];
  return (content ?? []).flatMap((child) => {
    const node = Node.safeParse(child).data;
    return node === undefined ? [] : nodesOf(node, reading, depth + 1);
  });
}

function nodesOf(node: OutlineNode, reading: OutlineReading, depth: number): NodeJSON[] {
  const attrs = node.attrs ?? {};
  const inner = (): NodeJSON[] => childrenOf(node, reading, depth);
  const name = names[node.type];
  if (name !== undefined) return [{ type: name, content: inner() }];
  switch (node.type) {
    case "text":
      return node.text ? [{ type: "text", text: node.text, marks: marksOf(node, reading) }] : [];
    case "heading":
      return [{ type: "heading", attrs: { level: numberOf(attrs.level, 1), id: null }, content: inner() }];
    case "ordered_list":
      return [{ type: "orderedList", attrs: { start: numberOf(attrs.order, 1), type: null }, content: inner() }];
    case "checkbox_item":
      return [{ type: "taskItem", attrs: { checked: attrs.checked === true }, content: inner() }];
    case "code_block":
    case "code_fence":
      return [{ type: "codeBlock", attrs: { language: textOr(attrs.language, null) }, content: plainText(node) }];
    case "th":
    case "td":
      return [cellOf(node, inner())];
    case "container_notice":
      return [callout(calloutKinds[String(attrs.style)] ?? "info", inner())];
    case "math_block":
      return [{ type: "blockMath", attrs: { latex: textIn(node) } }];
    default:
      return lineNode(node, reading, inner);
  }
}

function lineNode(node: OutlineNode, reading: OutlineReading, inner: () => NodeJSON[]): NodeJSON[] {
  const attrs = node.attrs ?? {};
  switch (node.type) {
    case "br":
      return [{ type: "hardBreak" }];
    case "image":
      return [
        {
          type: "image",
          attrs: { src: reading.addressOf(String(attrs.src)), alt: textOr(attrs.alt, null), title: null },
        },
      ];
    case "attachment":
    case "video":
    case "embed":
      return [
        {
          type: "paragraph",
          content: [linkOf(textOr(attrs.title, String(attrs.href ?? attrs.src)), attrs.href ?? attrs.src, reading)],
        },
      ];
    case "mention":
      return attrs.type === "document"
        ? [linkOf(String(attrs.label), `/doc/${String(attrs.modelId)}`, reading)]
        : [{ type: "text", text: `@${String(attrs.label)}` }];
    case "math_inline":
      return [{ type: "inlineMath", attrs: { latex: textIn(node), display: false } }];
    case "emoji":
      return [{ type: "text", text: `:${String(attrs["data-name"])}:` }];
    default:
      reading.onLeftOut(`Outline's ${node.type}`);
      return inner();
  }
}

const callout = (kind: string, content: NodeJSON[]): NodeJSON => ({
  type: "callout",
  attrs: { kind, title: null, folded: null, fence: "loose" },
  content,
});

function cellOf({ type, attrs }: OutlineNode, content: NodeJSON[]): NodeJSON {
  const align = ["left", "center", "right"].find((one) => one === attrs?.alignment) ?? null;
  const spans = { colspan: numberOf(attrs?.colspan, 1), rowspan: numberOf(attrs?.rowspan, 1) };
  return { type: type === "th" ? "tableHeader" : "tableCell", attrs: { ...spans, colwidth: null, align }, content };
}

function marksOf({ marks }: OutlineNode, reading: OutlineReading): MarkJSON[] {
  return (marks ?? []).flatMap((mark): MarkJSON[] => {
    const name = marksByName[mark.type];
    if (name !== undefined) return [{ type: name }];
    const href = mark.type === "link" ? textOr(mark.attrs?.href, null) : null;
    return href === null ? [] : linkMarks(reading.addressOf(href));
  });
}

function linkOf(text: string, address: unknown, reading: OutlineReading): NodeJSON {
  const marks = typeof address === "string" ? linkMarks(reading.addressOf(address)) : [];
  return { type: "text", text: text || "link", marks };
}

const linkMarks = (href: string): MarkJSON[] =>
  href !== "" && isSafeUrl(href) ? [{ type: "link", attrs: { href, title: null } }] : [];

const numberOf = (value: unknown, fallback: number): number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : fallback;

function textOr<T>(value: unknown, fallback: T): string | T {
  return typeof value === "string" && value !== "" ? value : fallback;
}

const textIn = ({ content }: OutlineNode): string =>
  (content ?? []).map((child) => Node.safeParse(child).data?.text ?? "").join("");

function plainText(node: OutlineNode): NodeJSON[] {
  const text = textIn(node);
  return text === "" ? [] : [{ type: "text", text }];
}
