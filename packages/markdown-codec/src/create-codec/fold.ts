import type { ContentMatch, Schema } from "prosemirror-model";
import type { Attrs, DocJSON, NodeJSON } from "../types.ts";
import { type Construct, type Constructs, nodeOf } from "./construct.ts";
import { bodyOf } from "./extension.ts";
import { removeMarkers } from "./markers.ts";

/** The document with nodes and marks of an integrator where nodes of this package say them. */
export function fold(doc: DocJSON, constructs: Constructs, schema: Schema): DocJSON {
  const folder = new Folder(constructs, schema);
  const content = folder.blocks(doc.content);
  return content === doc.content ? doc : { ...doc, content };
}

/** One node with what is inside, as `fold`. */
export function foldNode(node: NodeJSON, constructs: Constructs, schema: Schema): NodeJSON {
  return new Folder(constructs, schema).block(node);
}

class Folder {
  readonly #constructs: Constructs;
  readonly #schema: Schema;

  constructor(constructs: Constructs, schema: Schema) {
    this.#constructs = constructs;
    this.#schema = schema;
  }

  blocks(given: NodeJSON[]): NodeJSON[] {
    const blocks = given.map((node) => this.block(node));
    return blocks.every((node, index) => node === given[index]) ? given : blocks;
  }

  block(node: NodeJSON): NodeJSON {
    const { type, attrs, content } = node;
    if (type === "rawBlock") return this.#leaf(this.#constructs.byName.get(String(attrs?.kind)), attrs) ?? node;
    if (type === "codeBlock") return this.#fence(node);
    if (content === undefined) return node;
    const isText = type === "paragraph" || type === "heading";
    const inner = isText ? this.#line(content) : this.blocks(content);
    if (type === "callout") return this.#directive(node, inner);
    if (inner === content) return node;
    const { content: _, ...empty } = node;
    return isText && inner.length === 0 ? empty : { ...node, content: inner };
  }

  #leaf(construct: Construct | undefined, attrs: Attrs | undefined): NodeJSON | undefined {
    if (construct === undefined) return undefined;
    const own = construct.attrsOf(bodyOf(construct, String(attrs?.source)));
    return own && nodeOf(construct, own);
  }

  #fence(node: NodeJSON): NodeJSON {
    const construct = this.#constructs.byFence.get(String(node.attrs?.language));
    const attrs = construct?.attrsOf(node.content?.[0]?.text ?? "");
    return construct && attrs && construct.sourceOf(attrs) !== undefined ? nodeOf(construct, attrs) : node;
  }

  // Blocks that the node may not have stay a callout.
  #directive(node: NodeJSON, content: NodeJSON[]): NodeJSON {
    const { kind, title, fence } = node.attrs ?? {};
    const construct = fence === null ? undefined : this.#constructs.byDirective.get(String(kind));
    const attrs = construct?.attrsOf(typeof title === "string" ? title : null);
    const isNode = construct && attrs && construct.sourceOf(attrs) !== undefined;
    if (isNode && fits(this.#schema, construct.name, content)) return { ...nodeOf(construct, attrs), content };
    return content === node.content ? node : { ...node, content };
  }

  #line(given: NodeJSON[]): NodeJSON[] {
    const { byName, marks } = this.#constructs;
    if (!given.some(({ type, attrs }) => type === "rawInline" && isOwn(this.#constructs, attrs?.kind))) return given;
    const nodes = given.map((node) => {
      const own = node.type === "rawInline" ? this.#leaf(byName.get(String(node.attrs?.kind)), node.attrs) : undefined;
      if (own === undefined) return node;
      return node.marks === undefined ? own : { ...own, marks: node.marks };
    });
    return removeMarkers(nodes, marks);
  }
}

function isOwn({ byName, marks }: Constructs, kind: unknown): boolean {
  return byName.has(String(kind)) || marks.some(({ name }) => name === kind);
}

/** True where a node of this type may have these children. */
export function fits(schema: Schema, type: string, content: readonly NodeJSON[]): boolean {
  let match: ContentMatch | null | undefined = schema.nodes[type]?.contentMatch;
  for (const child of content) {
    const childType = schema.nodes[child.type];
    match = childType && match?.matchType(childType);
  }
  return match?.validEnd ?? false;
}
