import { type NodeSpec, Schema } from "prosemirror-model";
import { CodecError } from "../error.ts";
import { attributeSpec, schema } from "../schema.ts";
import type { HtmlLayer } from "../with-html/layer.ts";
import { partsOf } from "./construct.ts";
import type { Definitions, NodeDefinition } from "./definition.ts";

/** The schema of this package with these nodes and marks. @throws CodecError `INVALID_DEFINITION` */
export function schemaWith({ nodes = [], marks = [], html }: Definitions): Schema {
  const ownNodes = Object.fromEntries(nodes.map((node) => [node.name, specOf(node)]));
  const ownMarks = Object.fromEntries(marks.map(({ name, spec }) => [name, spec ?? {}]));
  // Code comes last, as in the schema of this package.
  const code = schema.spec.marks.get("code") ?? {};
  const allMarks = schema.spec.marks.remove("code").append(ownMarks).addToEnd("code", code);
  try {
    return new Schema({ nodes: plainNodes(html).append(ownNodes), marks: allMarks });
  } catch (error) {
    throw new CodecError("INVALID_DEFINITION", `ProseMirror refuses the schema: ${String(error)}`, { path: ["nodes"] });
  }
}

// The nodes of this package, with the attributes that HTML adds.
function plainNodes(html: HtmlLayer | undefined): typeof schema.spec.nodes {
  let { nodes } = schema.spec;
  for (const [type, rules] of Object.entries(html?.attributes ?? {})) {
    const spec = nodes.get(type);
    const added = Object.entries(rules).map(([name, rule]) => [name, attributeSpec(rule)] as const);
    nodes = nodes.update(type, { ...spec, attrs: { ...spec?.attrs, ...Object.fromEntries(added) } });
  }
  return nodes;
}

function specOf(node: NodeDefinition): NodeSpec {
  const { form } = partsOf(node);
  if (form === "inline") return { ...node.spec, group: "inline", inline: true, atom: true };
  if (form === "directive") return { defining: true, ...node.spec, group: "block" };
  return { ...node.spec, group: "block", atom: true };
}
