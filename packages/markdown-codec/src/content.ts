const BLOCKS = "paragraph heading blockquote bulletList orderedList taskList codeBlock horizontalRule table";
const INLINE = "text hardBreak image footnoteReference";

/** The children of every node: those that may stand there, whether one must, and what the first has to be. */
export const CONTENT: { readonly [type: string]: readonly [children: string, isRequired: boolean, first?: string] } = {
  doc: [`${BLOCKS} footnoteDefinition`, true],
  paragraph: [INLINE, false],
  heading: [INLINE, false],
  blockquote: [BLOCKS, true],
  bulletList: ["listItem", true],
  orderedList: ["listItem", true],
  taskList: ["taskItem", true],
  listItem: [BLOCKS, true, "paragraph"],
  taskItem: [BLOCKS, true, "paragraph"],
  codeBlock: ["text", false],
  table: ["tableRow", true],
  tableRow: ["tableHeader tableCell", false],
  tableHeader: [BLOCKS, true],
  tableCell: [BLOCKS, true],
  footnoteDefinition: [BLOCKS, true],
};
/** The children that a node may have, by its type. */
export const ALLOWED: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(CONTENT).map(([type, [children]]) => [type, new Set(children.split(" "))]),
);
/** Every type of node. */
export const KNOWN: ReadonlySet<string> = new Set([...ALLOWED.keys(), "horizontalRule", ...INLINE.split(" ")]);
