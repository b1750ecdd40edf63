import { type AttributeSpec, type MarkSpec, type NodeSpec, Schema } from "prosemirror-model";
import { ATTRIBUTES, type AttributeRule } from "./attributes.ts";
import type { MarkName, NodeName } from "./types.ts";

/** The attribute of a ProseMirror spec with this rule. */
export function attributeSpec({ test, expected, ...rest }: AttributeRule): AttributeSpec {
  const validate = (value: unknown): void => {
    if (!test(value)) throw new RangeError(`Expected ${expected}`);
  };
  return { ...rest, validate };
}

function attrs(type: NodeName | MarkName): { attrs: { [name: string]: AttributeSpec } } {
  const rules = Object.entries(ATTRIBUTES[type] ?? {});
  return { attrs: Object.fromEntries(rules.map(([name, rule]) => [name, attributeSpec(rule)])) };
}

const FLOW = "(block | footnoteDefinition)+";
const ITEM = "paragraph (block | footnoteDefinition)*";

const nodes: Record<NodeName, NodeSpec> = {
  doc: { content: FLOW },
  paragraph: { content: "inline*", group: "block" },
  heading: { content: "inline*", group: "block", defining: true, ...attrs("heading") },
  blockquote: { content: FLOW, group: "block", defining: true },
  bulletList: { content: "(listItem | taskItem)+", group: "block" },
  orderedList: { content: "(listItem | taskItem)+", group: "block", ...attrs("orderedList") },
  listItem: { content: ITEM, defining: true },
  taskList: { content: "taskItem+", group: "block" },
  taskItem: { content: ITEM, defining: true, ...attrs("taskItem") },
  codeBlock: { content: "text*", marks: "", group: "block", code: true, defining: true, ...attrs("codeBlock") },
  horizontalRule: { group: "block" },
  table: { content: "tableRow+", group: "block", isolating: true },
  tableRow: { content: "(tableCell | tableHeader)*" },
  tableHeader: { content: "block+", isolating: true, ...attrs("tableHeader") },
  tableCell: { content: "block+", isolating: true, ...attrs("tableCell") },
  callout: { content: FLOW, group: "block", defining: true, ...attrs("callout") },
  details: { content: FLOW, group: "block", defining: true, isolating: true, ...attrs("details") },
  blockMath: { group: "block", atom: true, ...attrs("blockMath") },
  rawBlock: { group: "block", atom: true, ...attrs("rawBlock") },
  footnoteDefinition: { content: FLOW, defining: true, isolating: true, ...attrs("footnoteDefinition") },
  footnoteReference: { group: "inline", inline: true, atom: true, ...attrs("footnoteReference") },
  hardBreak: { group: "inline", inline: true, selectable: false },
  image: { group: "inline", inline: true, draggable: true, ...attrs("image") },
  inlineMath: { group: "inline", inline: true, atom: true, ...attrs("inlineMath") },
  mention: { group: "inline", inline: true, atom: true, ...attrs("mention") },
  wikiLink: { group: "inline", inline: true, atom: true, ...attrs("wikiLink") },
  rawInline: { group: "inline", inline: true, atom: true, ...attrs("rawInline") },
  text: { group: "inline" },
};

const marks: Record<MarkName, MarkSpec> = {
  link: { inclusive: false, ...attrs("link") },
  bold: {},
  italic: {},
  strike: {},
  underline: {},
  highlight: {},
  subscript: {},
  superscript: {},
  code: { code: true },
};

/**
 * The ProseMirror schema of the documents of this package, with tiptap's names. It has no `toDOM`: it is for building,
 * checking and transforming documents. An editor brings its own schema and loads the JSON.
 */
export const schema: Schema<NodeName, MarkName> = new Schema({ nodes, marks });
