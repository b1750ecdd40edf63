import { type AttributeSpec, type MarkSpec, type NodeSpec, Schema } from "prosemirror-model";
import { ATTRIBUTES, type AttributeRule } from "./attributes.ts";
import type { MarkName, NodeName } from "./types.ts";

function attribute({ test, expected, ...rest }: AttributeRule): AttributeSpec {
  const validate = (value: unknown): void => {
    if (!test(value)) throw new RangeError(`Expected ${expected}`);
  };
  return { ...rest, validate };
}

function attrs(type: NodeName | MarkName): { attrs: { [name: string]: AttributeSpec } } {
  const rules = Object.entries(ATTRIBUTES[type] ?? {});
  return { attrs: Object.fromEntries(rules.map(([name, rule]) => [name, attribute(rule)])) };
}

const nodes: Record<NodeName, NodeSpec> = {
  doc: { content: "(block | footnoteDefinition)+" },
  paragraph: { content: "inline*", group: "block" },
  heading: { content: "inline*", group: "block", defining: true, ...attrs("heading") },
  blockquote: { content: "block+", group: "block", defining: true },
  bulletList: { content: "listItem+", group: "block" },
  orderedList: { content: "listItem+", group: "block", ...attrs("orderedList") },
  listItem: { content: "paragraph block*", defining: true },
  taskList: { content: "taskItem+", group: "block" },
  taskItem: { content: "paragraph block*", defining: true, ...attrs("taskItem") },
  codeBlock: { content: "text*", marks: "", group: "block", code: true, defining: true, ...attrs("codeBlock") },
  horizontalRule: { group: "block" },
  table: { content: "tableRow+", group: "block", isolating: true },
  tableRow: { content: "(tableCell | tableHeader)*" },
  tableHeader: { content: "block+", isolating: true, ...attrs("tableHeader") },
  tableCell: { content: "block+", isolating: true, ...attrs("tableCell") },
  footnoteDefinition: { content: "block+", defining: true, isolating: true, ...attrs("footnoteDefinition") },
  footnoteReference: { group: "inline", inline: true, atom: true, ...attrs("footnoteReference") },
  hardBreak: { group: "inline", inline: true, selectable: false },
  image: { group: "inline", inline: true, draggable: true, ...attrs("image") },
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
