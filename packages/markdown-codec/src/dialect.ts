import { CodecError } from "./error.ts";
import { requireTree } from "./shape.ts";
import type { Attrs, Dialect, MarkJSON, NodeJSON } from "./types.ts";

/** Our names to the names of another family: of nodes and marks, and of attributes (`type.attribute`). */
interface Names {
  readonly types: { readonly [ours: string]: string };
  readonly attrs: { readonly [ours: string]: string };
}

const SNAKE_CASE: Names["types"] = {
  bulletList: "bullet_list",
  orderedList: "ordered_list",
  listItem: "list_item",
  tableRow: "table_row",
  tableHeader: "table_header",
  tableCell: "table_cell",
  footnoteReference: "footnote_reference",
  footnoteDefinition: "footnote_definition",
  blockMath: "block_math",
  inlineMath: "inline_math",
  wikiLink: "wiki_link",
  rawBlock: "raw_block",
  rawInline: "raw_inline",
};

const DIALECTS: { readonly [dialect in Dialect]: Names } = {
  tiptap: { types: {}, attrs: {} },
  prosemirror: {
    types: {
      ...SNAKE_CASE,
      taskList: "task_list",
      taskItem: "task_item",
      codeBlock: "code_block",
      horizontalRule: "horizontal_rule",
      hardBreak: "hard_break",
      bold: "strong",
      italic: "em",
    },
    attrs: { "orderedList.start": "order", "codeBlock.language": "params" },
  },
  milkdown: {
    types: {
      ...SNAKE_CASE,
      codeBlock: "code_block",
      horizontalRule: "hr",
      hardBreak: "hardbreak",
      bold: "strong",
      italic: "emphasis",
      strike: "strike_through",
      code: "inlineCode",
      // Milkdown's tasks are list items with a state; they come back as tasks by that.
      taskList: "bullet_list",
      taskItem: "list_item",
    },
    attrs: { "orderedList.start": "order" },
  },
};

/**
 * Renames the nodes, marks and attributes of a document for another family of editors. The shape stays.
 *
 * @throws CodecError `INVALID_DOC`, `NESTING`, `UNSUPPORTED` for an unknown dialect
 */
export function renameDialect(json: NodeJSON, dialect: Dialect): NodeJSON {
  requireTree(json);
  return rename(json, namesOf(dialect));
}

/** Renames a document with a family's names to ours. Names that are ours already stay. Throws as `renameDialect`. */
export function fromDialect(json: NodeJSON, dialect: Dialect): NodeJSON {
  requireTree(json);
  const { types, attrs } = namesOf(dialect);
  const back: { [name: string]: string } = {};
  const backAttrs: { [name: string]: string } = {};
  for (const [ours, theirs] of Object.entries(types)) back[theirs] ??= ours;
  for (const [ours, theirs] of Object.entries(attrs)) {
    const [type = "", name = ""] = ours.split(".");
    backAttrs[`${types[type] ?? type}.${theirs}`] = name;
  }
  const renamed = rename(json, { types: back, attrs: backAttrs });
  return dialect === "milkdown" ? withTasks(renamed) : renamed;
}

function namesOf(dialect: Dialect): Names {
  if (Object.hasOwn(DIALECTS, dialect)) return DIALECTS[dialect];
  throw new CodecError("UNSUPPORTED", `Unknown dialect: ${String(dialect)}.`);
}

function renameAttrs(type: string, attrs: Attrs, names: Names): Attrs {
  return Object.fromEntries(
    Object.entries(attrs).map(([name, value]) => [names.attrs[`${type}.${name}`] ?? name, value]),
  );
}

function renameMark(mark: MarkJSON, names: Names): MarkJSON {
  return { ...mark, type: names.types[mark.type] ?? mark.type };
}

function rename(node: NodeJSON, names: Names): NodeJSON {
  return {
    ...node,
    type: names.types[node.type] ?? node.type,
    ...(node.attrs ? { attrs: renameAttrs(node.type, node.attrs, names) } : undefined),
    ...(node.content ? { content: node.content.map((child) => rename(child, names)) } : undefined),
    ...(node.marks ? { marks: node.marks.map((mark) => renameMark(mark, names)) } : undefined),
  };
}

const isTask = (node: NodeJSON): boolean => typeof node.attrs?.checked === "boolean";

// Items that have a state are tasks; lists of tasks only are task lists.
function withTasks(node: NodeJSON): NodeJSON {
  const content = node.content?.map(withTasks);
  if (content === undefined) return node;
  if (node.type === "listItem" && isTask(node)) return { ...node, type: "taskItem", content };
  const isTaskList = node.type === "bulletList" && content.every(({ type }) => type === "taskItem");
  return { ...node, ...(isTaskList ? { type: "taskList" } : undefined), content };
}
