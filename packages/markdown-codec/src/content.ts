const BLOCKS =
  "paragraph heading blockquote callout details bulletList orderedList taskList codeBlock horizontalRule table blockMath rawBlock";
const FLOW = `${BLOCKS} footnoteDefinition`;
const INLINE = "text hardBreak image footnoteReference inlineMath mention wikiLink rawInline";
const ITEMS = "listItem taskItem";

/** The children that a node may have, the first that it must have (`*`: any), and none of both where it may be empty. */
const CONTENT: { readonly [type: string]: readonly [children: string, first?: string] } = {
  "": ["doc"],
  doc: [FLOW, "*"],
  paragraph: [INLINE],
  heading: [INLINE],
  blockquote: [FLOW, "*"],
  callout: [FLOW, "*"],
  details: [FLOW, "*"],
  bulletList: [ITEMS, "*"],
  orderedList: [ITEMS, "*"],
  taskList: ["taskItem", "*"],
  listItem: [FLOW, "paragraph"],
  taskItem: [FLOW, "paragraph"],
  codeBlock: ["text"],
  table: ["tableRow", "*"],
  tableRow: ["tableHeader tableCell"],
  tableHeader: [BLOCKS, "*"],
  tableCell: [BLOCKS, "*"],
  footnoteDefinition: [FLOW, "*"],
};

const ALLOWED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(CONTENT).map(([type, [children]]) => [type, new Set(children.split(" "))]),
);

/** True where a node of this type can be the child of this index; the parent of a document is "". */
export function isAllowed(type: string, parent: string, index: number): boolean {
  const first = (index === 0 && CONTENT[parent]?.[1]) || "*";
  return (first === "*" || first === type) && (ALLOWED.get(parent)?.has(type) ?? false);
}

/** True for a node that must have children. */
export function needsContent(type: string): boolean {
  return CONTENT[type]?.[1] !== undefined;
}
