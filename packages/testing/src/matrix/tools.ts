import type { Credential } from "../api-client.ts";
import { cells, type Outcome } from "./cells.ts";
import { type Column, columns } from "./columns.ts";
import type { Case, Scene } from "./scene.ts";

/** A tool of the MCP endpoint: the operation whose cells are its own, and what it is called with. */
export type ToolCase = { readonly operation: string; readonly input: Case };

const edit = (input: object): ToolCase => ({
  operation: "documents.edit",
  input: async (scene) => ({ id: await scene.document(), ...input }),
});

/** Every tool: right in all but its caller. REST and MCP answer alike, so the cells are those of REST's operations. */
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
  delete_document: { operation: "documents.delete", input: async (scene) => ({ id: await scene.document() }) },
  restore_document: {
    operation: "documents.restore",
    input: async (scene) => ({ id: await scene.document("trashed") }),
  },
  upload_image: {
    operation: "attachments.upload",
    input: () => ({ name: "matrix.png", contentType: "image/png" }),
  },
};

/** How one edge is asked. */
export type ToolEdge = {
  /** Calls a tool; gives `allowed` or the code of the refusal, in the words of the cells. */
  readonly call: (column: Column, credential: Credential, tool: string, input: object) => Promise<string>;
  /** What the edge's door says to a kind of credential before any cell counts; `undefined` for those that it lets in. */
  readonly door: (column: Column) => Outcome | "mcp_disabled" | undefined;
};

/** To the tools a token of an app is what a key of its scopes is. */
const likeKeys: Partial<Readonly<Record<Column, Column>>> = { readApp: "readKey", writeApp: "everydayKey" };

/** Asks one tool for every kind of credential. Gives what differs from the cells, and every refusal that changed something. */
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
    const expected = edge.door(column) ?? row?.[likeKeys[column] ?? column];
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
