import type { DocJSON, NodeJSON } from "../types.ts";

/** The node that the child indexes lead to. */
export function nodeAt(root: NodeJSON, path: readonly number[]): NodeJSON | undefined {
  let node: NodeJSON | undefined = root;
  for (const index of path) node = node?.content?.[index];
  return node;
}

/** The document with the children of the node at `path` replaced; everything beside the path stays the same object. */
export function withChildren(doc: DocJSON, path: readonly number[], children: NodeJSON[]): DocJSON {
  return { ...doc, content: replaceChildren(doc.content, path, children) };
}

function replaceChildren(nodes: NodeJSON[], path: readonly number[], children: NodeJSON[]): NodeJSON[] {
  const [index, ...rest] = path;
  if (index === undefined) return children;
  return nodes.map((node, at) =>
    at === index ? { ...node, content: replaceChildren(node.content ?? [], rest, children) } : node,
  );
}

/** Calls `visit` for every node below `nodes`. */
export function walk(nodes: NodeJSON[], visit: (node: NodeJSON) => void): void {
  for (const node of nodes) {
    visit(node);
    if (node.content) walk(node.content, visit);
  }
}
