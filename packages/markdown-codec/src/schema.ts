import { type AttributeSpec, type MarkSpec, type NodeSpec, Schema } from "prosemirror-model";
import { isFootnoteLabel } from "./label.ts";
import type { MarkName, NodeName } from "./types.ts";
import { isDataUrl, isSafeUrl } from "./url.ts";

function rule(holds: (value: unknown) => boolean, expected: string): (value: unknown) => void {
  return (value) => {
    if (!holds(value)) throw new RangeError(`Expected ${expected}`);
  };
}

const isString = (value: unknown): value is string => typeof value === "string";
const isCount = (least: number, most: number) => (value: unknown) =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;

/** True for what can stand in `{#…}` at the end of a heading. */
export function isHeadingId(value: unknown): value is string {
  return isString(value) && /^[^\s{}]+$/.test(value);
}

const optionalString: AttributeSpec = { default: null, validate: "string|null" };
const label: AttributeSpec = {
  validate: rule((value) => isString(value) && isFootnoteLabel(value), "a footnote label"),
};
const align = rule(
  (value) => value === null || value === "left" || value === "center" || value === "right",
  "left, center, right or null",
);
const colwidth = rule((value) => value === null || Array.isArray(value), "a list of widths or null");

const cell: NodeSpec = {
  content: "block+",
  attrs: {
    colspan: { default: 1, validate: rule(isCount(1, 1000), "1 to 1000") },
    rowspan: { default: 1, validate: rule(isCount(1, 65534), "1 to 65534") },
    colwidth: { default: null, validate: colwidth },
    align: { default: null, validate: align },
  },
  isolating: true,
};

const nodes: Record<NodeName, NodeSpec> = {
  doc: { content: "(block | footnoteDefinition)+" },
  paragraph: { content: "inline*", group: "block" },
  heading: {
    content: "inline*",
    group: "block",
    defining: true,
    attrs: {
      level: { default: 1, validate: rule(isCount(1, 6), "1 to 6") },
      id: { default: null, validate: rule((value) => value === null || isHeadingId(value), "a heading id or null") },
    },
  },
  blockquote: { content: "block+", group: "block", defining: true },
  bulletList: { content: "listItem+", group: "block" },
  orderedList: {
    content: "listItem+",
    group: "block",
    attrs: {
      start: { default: 1, validate: rule(isCount(0, 999_999_999), "0 to 999999999") },
      type: optionalString,
    },
  },
  listItem: { content: "paragraph block*", defining: true },
  taskList: { content: "taskItem+", group: "block" },
  taskItem: {
    content: "paragraph block*",
    defining: true,
    attrs: { checked: { default: false, validate: "boolean" } },
  },
  codeBlock: {
    content: "text*",
    marks: "",
    group: "block",
    code: true,
    defining: true,
    attrs: { language: optionalString },
  },
  horizontalRule: { group: "block" },
  table: { content: "tableRow+", group: "block", isolating: true },
  tableRow: { content: "(tableCell | tableHeader)*" },
  tableHeader: cell,
  tableCell: cell,
  footnoteDefinition: { content: "block+", defining: true, isolating: true, attrs: { label } },
  footnoteReference: { group: "inline", inline: true, atom: true, attrs: { label } },
  hardBreak: { group: "inline", inline: true, selectable: false },
  image: {
    group: "inline",
    inline: true,
    draggable: true,
    attrs: {
      src: { validate: rule((value) => isString(value) && isSafeUrl(value) && !isDataUrl(value), "an external URL") },
      alt: optionalString,
      title: optionalString,
    },
  },
  text: { group: "inline" },
};

const marks: Record<MarkName, MarkSpec> = {
  link: {
    inclusive: false,
    attrs: {
      href: { validate: rule((value) => isString(value) && isSafeUrl(value), "a safe URL") },
      title: optionalString,
    },
  },
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
