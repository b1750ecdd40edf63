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

/** The document with the names of another family of editors. Names only: the shape stays. */
export function renameDialect(json: NodeJSON, dialect: Dialect): NodeJSON {
  return rename(json, DIALECTS[dialect]);
}

/** The other way round: a document with a family's names with ours. Names that are ours already stay. */
export function fromDialect(json: NodeJSON, dialect: Dialect): NodeJSON {
  const { types, attrs } = DIALECTS[dialect];
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

// Lists whose items all have a state are task lists.
function withTasks(node: NodeJSON): NodeJSON {
  const content = node.content?.map(withTasks);
  if (node.type === "bulletList" && content !== undefined && content.length > 0 && content.every(isTask)) {
    return { type: "taskList", content: content.map((item) => ({ ...item, type: "taskItem" })) };
  }
  return content ? { ...node, content } : node;
}
