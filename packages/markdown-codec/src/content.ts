const BLOCKS = "paragraph heading blockquote bulletList orderedList taskList codeBlock horizontalRule table";
const INLINE = "text hardBreak image footnoteReference";

/** The children that a node may have, the first that it must have (`*`: any), and none of both where it may be empty. */
const CONTENT: { readonly [type: string]: readonly [children: string, first?: string] } = {
  "": ["doc"],
  doc: [`${BLOCKS} footnoteDefinition`, "*"],
  paragraph: [INLINE],
  heading: [INLINE],
  blockquote: [BLOCKS, "*"],
  bulletList: ["listItem", "*"],
  orderedList: ["listItem", "*"],
  taskList: ["taskItem", "*"],
  listItem: [BLOCKS, "paragraph"],
  taskItem: [BLOCKS, "paragraph"],
  codeBlock: ["text"],
  table: ["tableRow", "*"],
  tableRow: ["tableHeader tableCell"],
  tableHeader: [BLOCKS, "*"],
  tableCell: [BLOCKS, "*"],
  footnoteDefinition: [BLOCKS, "*"],
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
