import { CodecError } from "../error.ts";
import type { Attrs, DocJSON, NodeJSON, Path } from "../types.ts";
import { completeAttrs } from "./attributes.ts";
import type { Codec } from "./codec.ts";
import { type Construct, type Constructs, nodeOf } from "./construct.ts";
import type { OwnMark } from "./own-mark.ts";

const SAMPLE: NodeJSON = { type: "paragraph", content: [{ type: "text", text: "a" }] };

/**
 * Tries every example of every definition: it is written, read back, and shown as HTML and text.
 *
 * @throws CodecError `INVALID_DEFINITION` with the path to the example that is not what comes back
 */
export function requireExamples(codec: Codec, { byName, marks }: Constructs): void {
  [...byName.values()].forEach((construct, index) => {
    const { examples = [{}] } = construct.definition;
    examples.forEach((example, at) => {
      requireExample(codec, construct, example, ["nodes", index, "examples", at]);
    });
  });
  marks.forEach((mark, index) => {
    const { examples = [{}] } = mark.definition;
    examples.forEach((example, at) => {
      const path = ["marks", index, ...(mark.hasSource ? ["examples", at] : ["markdown"])];
      requireMarkExample(codec, mark, example, path, ["marks", index, "html"]);
    });
  });
}

function requireMarkExample(codec: Codec, mark: OwnMark, example: Attrs, path: Path, htmlPath: Path): void {
  const { name, hasSource } = mark;
  const attrs = completeAttrs(mark.rules, example);
  if (attrs === undefined) throw refusal(`The spec of ${name} does not accept this example.`, path);
  if (mark.openingOf(attrs) === undefined) {
    throw refusal(`\`read\` of ${name} does not return this example for what \`write\` made of it.`, path);
  }
  const node = { type: "text", text: "a", marks: [hasSource ? { type: name, attrs } : { type: name }] };
  requireSurvival(codec, { type: "paragraph", content: [node] }, path, htmlPath);
}

function requireExample(codec: Codec, construct: Construct, example: Attrs, path: Path): void {
  const { name, form } = construct;
  const attrs = completeAttrs(construct.rules, example);
  if (attrs === undefined) throw refusal(`The spec of ${name} does not accept this example.`, path);
  if (construct.sourceOf(attrs) === undefined) {
    throw refusal(`\`read\` of ${name} does not return this example for what \`write\` made of it.`, path);
  }
  const node = nodeOf(construct, attrs);
  if (form === "inline") requireSurvival(codec, { type: "paragraph", content: [node] }, path);
  else if (form === "directive") requireSurvival(codec, { ...node, content: contentFor(codec, name, attrs) }, path);
  else requireSurvival(codec, node, path);
}

/** The smallest content that a node with these attributes may have. */
export function contentFor({ schema }: Codec, name: string, attrs: Attrs | undefined): NodeJSON[] {
  const created: NodeJSON | undefined = schema.nodes[name]?.createAndFill(attrs)?.toJSON();
  return created?.content ?? [SAMPLE];
}

function requireSurvival(codec: Codec, block: NodeJSON, path: Path, htmlPath: Path = path): void {
  const doc: DocJSON = { type: "doc", content: [SAMPLE, block, SAMPLE] };
  try {
    codec.toHtml(doc);
    codec.toPlainText(doc);
  } catch (error) {
    throw refusal(error instanceof Error ? error.message : String(error), htmlPath);
  }
  const markdown = codec.serializeMarkdown(doc);
  const read = codec.parseMarkdown(markdown);
  const shown = JSON.stringify(read.content[1] ?? null).slice(0, 200);
  if (!codec.normalize(doc).doc.content.every((node, index) => isSame(node, read.content[index])))
    throw refusal(
      `Its Markdown is read as something else: ${JSON.stringify(markdown.slice(0, 200))} is ${shown}.`,
      path,
    );
  if (read.content[1]?.type !== block.type) throw refusal(`Its Markdown is read as something else: ${shown}.`, path);
}

// The attributes of both are in the order of the spec.
const isSame = (a: NodeJSON, b: NodeJSON | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

const refusal = (message: string, path: Path): CodecError => new CodecError("INVALID_DEFINITION", message, { path });
