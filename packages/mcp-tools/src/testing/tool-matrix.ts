import {
  type CaseInput,
  type Column,
  type Credential,
  cells,
  columns,
  type Outcome,
  type Scene,
} from "@kb/core/testing";

/** A tool of the MCP endpoint, with its input and the operation whose cells apply to it. */
export type ToolCase = { readonly operation: string; readonly input: CaseInput };

const edit = (input: object): ToolCase => ({
  operation: "documents.edit",
  input: async (scene) => ({ id: await scene.document(), ...input }),
});

/** Every tool with valid input. REST and MCP allow the same, so the cells are those of the operations. */
export const toolCases: Readonly<Record<string, ToolCase>> = {
  search: { operation: "documents.search", input: () => ({ query: "subject" }) },
  list_collections: { operation: "collections.list", input: () => ({}) },
  list_documents: { operation: "documents.list", input: () => ({}) },
  get_document: { operation: "documents.get", input: async (scene) => ({ id: await scene.document() }) },
  create_document: {
    operation: "documents.create",
    input: (scene) => ({ collectionId: scene.collectionId, title: "By the matrix", markdown: "By the matrix" }),
  },
  update_document: {
    operation: "documents.update",
    input: async (scene) => ({ id: await scene.document(), title: "By the matrix" }),
  },
  append_to_document: edit({ markdown: "By the matrix" }),
  prepend_to_document: edit({ markdown: "By the matrix" }),
  insert_after_heading: edit({ heading: "Subject", markdown: "By the matrix" }),
  replace_section: edit({ heading: "Subject", markdown: "By the matrix" }),
  replace_text: edit({ oldText: "The subject.", newText: "By the matrix." }),
  document_history: {
    operation: "documents.revisions.list",
    input: async (scene) => ({ id: await scene.document() }),
  },
  restore_revision: {
    operation: "documents.revisions.restore",
    input: async (scene) => ({ id: await scene.document(), revision: 1 }),
  },
  changes: { operation: "documents.list", input: () => ({ since: "2026-01-01", limit: 1 }) },
  delete_document: { operation: "documents.delete", input: async (scene) => ({ id: await scene.document() }) },
  restore_document: {
    operation: "documents.restore",
    input: async (scene) => ({ id: await scene.document("trashed") }),
  },
  upload_image: {
    operation: "attachments.upload",
    input: () => ({ name: "matrix.png", contentType: "image/png" }),
  },
  upload_file: {
    operation: "attachments.upload",
    input: () => ({ name: "matrix.pdf", contentType: "application/pdf" }),
  },
};

/** The functions by which the matrix calls an edge. */
export type ToolEdge = {
  /** Calls a tool; returns `allowed` or the code of the refusal, as in the cells. */
  readonly call: (column: Column, credential: Credential, tool: string, input: object) => Promise<string>;
  /** Returns the refusal of a kind of credential by the edge itself, before any cell applies; `undefined` if it is accepted. */
  readonly edgeOutcome: (column: Column) => Outcome | "mcp_disabled" | undefined;
};

/** For the tools, an app's token has the rights of a key with the same scopes. */
const likeKeys: Partial<Readonly<Record<Column, Column>>> = { readApp: "readKey", writeApp: "everydayKey" };

/** Calls a tool with every kind of credential. Returns differences from the cells, and refusals that changed something. */
export async function toolDifferences(scene: Scene, tool: string, edge: ToolEdge): Promise<string[]> {
  const { operation, input } = caseOf(tool);
  const row = cells.get(operation);
  const differences: string[] = [];
  let asked: object | undefined;
  for (const column of columns) {
    const credential = await scene.credential(column);
    asked ??= await input(scene);
    const before = await scene.changes();
    const outcome = await edge.call(column, credential, tool, asked);
    const changed = (await scene.changes()) !== before;
    const expected = edge.edgeOutcome(column) ?? row?.[likeKeys[column] ?? column];
    if (outcome !== expected) differences.push(`${column}: ${expected} expected, ${outcome} answered`);
    if (changed && outcome !== "allowed") differences.push(`${column}: refused, and yet something changed`);
    if (changed) asked = undefined;
  }
  return differences;
}

function caseOf(tool: string): ToolCase {
  const found = toolCases[tool];
  if (found === undefined) throw new Error(`no case for the tool ${tool}`);
  return found;
}
