import type { DocJSON, NodeJSON } from "../src/index.ts";
import { nodesOf } from "./json.ts";

const isGap = (node: NodeJSON): boolean => node.attrs?.source === "<!-- -->";

/** True for the definition of a footnote. */
export const isNote = (node: NodeJSON): boolean => node.type === "footnoteDefinition";

// Tasks and other items stand in one list, whose type is that of all its items.
const familyOf = ({ type }: NodeJSON): string => (type === "taskList" ? "bulletList" : type);

/** Returns the content of blocks, list by list: the items with the kind of their list, everything else as it is, gaps left out. */
export const partsOf = (blocks: readonly NodeJSON[]): unknown[] =>
  blocks
    .filter((node) => !isGap(node))
    .flatMap((node): unknown[] =>
      node.type.endsWith("List") ? (node.content ?? []).map((item) => [familyOf(node), item]) : [node],
    );

/** How many paragraphs of a document say nothing. */
export const emptyParagraphs = (doc: DocJSON): number =>
  [...nodesOf(doc)].filter((node) => node.type === "paragraph" && node.content === undefined).length;
