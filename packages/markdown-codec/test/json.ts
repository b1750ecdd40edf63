import type { DocJSON } from "../src/index.ts";

/** A node as plain JSON: right in its shape, any value in its places. */
export interface Json {
  type: string;
  attrs?: Record<string, unknown>;
  content?: Json[];
  marks?: MarkOfJson[];
  text?: string;
}

/** A mark as plain JSON. */
export interface MarkOfJson {
  type: string;
  attrs?: Record<string, unknown>;
}

/** A document of these blocks. The root is right by construction; what lies below is for the codec to judge. */
export function asDocument(content: readonly object[] = []): DocJSON {
  return { type: "doc", content } as unknown as DocJSON;
}

/** Every node of a document, in order. */
export function* nodesOf(node: { readonly content?: readonly object[] }): Generator<Json> {
  yield node as Json;
  for (const child of node.content ?? []) yield* nodesOf(child);
}
