import { schema as codecSchema } from "markdown-codec/schema";
import { type DOMOutputSpec, type Node, type NodeSpec, Schema, type TagParseRule } from "prosemirror-model";
import { allowedAttributes, exactly, exactRule } from "./attributes.ts";
import { marks } from "./marks.ts";
import { wide } from "./wide-blocks.ts";

type Shown = {
  readonly toDOM: (node: Node, exact: { readonly [attribute: string]: string }) => DOMOutputSpec;
  /** Further elements that are read as this node, such as pasted ones, and what their attributes are. */
  readonly parse?: readonly (readonly [
    tag: string,
    values?: (element: HTMLElement) => { readonly [name: string]: unknown },
  ])[];
  /** The element inside of which the content is. */
  readonly contentElement?: string;
  readonly preserveWhitespace?: "full";
};

const block = { dir: "auto" };
const content = ".content";
const box = (tag: string, attributes: object, head: DOMOutputSpec): DOMOutputSpec => [
  tag,
  attributes,
  head,
  ["div", { class: "content" }, 0],
];
const label = (tag: string, text: unknown): DOMOutputSpec => [tag, { contenteditable: "false" }, String(text)];

const alignOf = (element: HTMLElement) => ({ align: element.getAttribute("align") });
const cellAttributes = ({ attrs }: Node): object => ({
  ...(attrs.colspan !== 1 && { colspan: String(attrs.colspan) }),
  ...(attrs.rowspan !== 1 && { rowspan: String(attrs.rowspan) }),
  ...(attrs.align !== null && { align: attrs.align }),
});

/** The elements of each node; they are those of the reading view, so that nothing moves when writing begins. */
const shown: { readonly [name: string]: Shown } = {
  paragraph: { toDOM: () => ["p", block, 0], parse: [["p"]] },
  heading: {
    toDOM: ({ attrs }, exact) => [`h${attrs.level}`, { ...exact, ...block }, 0],
    parse: [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, () => ({ level })] as const),
  },
  blockquote: { toDOM: () => ["blockquote", block, 0], parse: [["blockquote"]] },
  bulletList: { toDOM: () => ["ul", block, 0], parse: [["ul"]] },
  orderedList: {
    toDOM: ({ attrs }, exact) => ["ol", { ...exact, ...block, ...(attrs.start !== 1 && { start: attrs.start }) }, 0],
    parse: [["ol", (element) => ({ start: Number(element.getAttribute("start") ?? 1) })]],
  },
  listItem: { toDOM: () => ["li", 0], parse: [["li"]] },
  taskList: { toDOM: () => ["ul", { "data-node": "taskList", class: "task-list", ...block }, 0] },
  taskItem: {
    toDOM: ({ attrs }, exact) =>
      box("li", exact, ["input", { type: "checkbox", ...(attrs.checked === true && { checked: "" }) }]),
    contentElement: content,
  },
  codeBlock: {
    toDOM: (_node, exact) => ["pre", { ...exact, ...block, ...wide, spellcheck: "false" }, ["code", 0]],
    parse: [["pre"]],
    preserveWhitespace: "full",
  },
  horizontalRule: { toDOM: () => ["hr"], parse: [["hr"]] },
  table: {
    toDOM: () => ["div", { ...wide, class: "table" }, ["table", block, ["tbody", 0]]],
    parse: [["table"]],
  },
  tableRow: { toDOM: () => ["tr", 0], parse: [["tr"]] },
  tableHeader: {
    toDOM: (node, exact) => ["th", { ...exact, ...cellAttributes(node) }, 0],
    parse: [["th", alignOf]],
  },
  tableCell: {
    toDOM: (node, exact) => ["td", { ...exact, ...cellAttributes(node) }, 0],
    parse: [["td", alignOf]],
  },
  callout: {
    toDOM: ({ attrs }, exact) =>
      box("div", { ...exact, ...block, class: `callout callout-${attrs.kind}` }, label("p", attrs.title || attrs.kind)),
    contentElement: content,
  },
  details: {
    toDOM: ({ attrs }, exact) => box("div", { ...exact, ...block, class: "callout" }, label("p", attrs.summary || "…")),
    contentElement: content,
  },
  blockMath: { toDOM: ({ attrs }, exact) => ["pre", { ...exact, class: "math" }, ["code", attrs.latex]] },
  rawBlock: { toDOM: ({ attrs }, exact) => ["pre", { ...exact, class: "raw" }, ["code", attrs.source]] },
  footnoteDefinition: {
    toDOM: ({ attrs }, exact) => box("div", { ...exact, ...block, class: "footnote" }, label("sup", attrs.label)),
    contentElement: content,
  },
  footnoteReference: { toDOM: ({ attrs }, exact) => ["sup", { ...exact, class: "footnote-reference" }, attrs.label] },
  hardBreak: { toDOM: () => ["br"], parse: [["br"]] },
  image: {
    toDOM: ({ attrs }, exact) => [
      "img",
      { ...exact, ...sourceOf(attrs.src), alt: attrs.alt ?? "", ...(attrs.title !== null && { title: attrs.title }) },
    ],
    parse: [
      [
        "img[src]",
        (element) => ({
          src: element.getAttribute("src"),
          alt: element.getAttribute("alt"),
          title: element.getAttribute("title"),
        }),
      ],
    ],
  },
  inlineMath: { toDOM: ({ attrs }, exact) => ["code", { ...exact, class: "math" }, attrs.latex] },
  mention: { toDOM: ({ attrs }, exact) => ["span", { ...exact, class: "mention" }, `@${attrs.label}`] },
  wikiLink: { toDOM: ({ attrs }, exact) => ["span", { ...exact, class: "wiki-link" }, wikiText(attrs.source)] },
  rawInline: { toDOM: ({ attrs }, exact) => ["code", { ...exact, class: "raw" }, attrs.source] },
};

/** Other addresses are no images that a page may load. */
const sourceOf = (src: unknown): object => (/^(?:https?:|[^:]*$|[^:]*[/?#])/i.test(String(src)) ? { src } : {});

/** `[[page#part|text]]` shows its text. */
const wikiText = (source: unknown): string =>
  String(source)
    .replace(/^!?\[\[|\]\]$/g, "")
    .split("|")
    .at(-1) ?? "";

function nodeSpec(name: string, spec: NodeSpec): NodeSpec {
  const found = shown[name];
  if (found === undefined) return spec;
  const { toDOM, parse = [], contentElement, preserveWhitespace } = found;
  const inside = {
    ...(contentElement !== undefined && { contentElement }),
    ...(preserveWhitespace !== undefined && { preserveWhitespace }),
  };
  const rules = parse.map(
    ([tag, values]): TagParseRule => ({
      tag,
      ...inside,
      getAttrs: (element) => allowedAttributes(spec.attrs, values?.(element) ?? {}),
    }),
  );
  return {
    ...spec,
    parseDOM: [{ ...exactRule(name, spec.attrs), ...inside }, ...rules],
    toDOM: (node) => toDOM(node, exactly(name, node.attrs)),
  };
}

const { nodes, marks: codecMarks } = codecSchema.spec;
const withNodes: { [name: string]: NodeSpec } = {};
nodes.forEach((name, spec) => {
  withNodes[name] = nodeSpec(name, spec);
});
const withMarks: { [name: string]: (typeof marks)[string] } = {};
codecMarks.forEach((name, spec) => {
  withMarks[name] = { ...spec, ...marks[name] };
});

/** The codec's schema, with the elements in which an editor shows it: the same names, content and attributes. */
export const schema: Schema = new Schema({ nodes: withNodes, marks: withMarks });
