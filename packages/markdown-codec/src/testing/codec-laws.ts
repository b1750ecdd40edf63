import fc from "fast-check";
import type { Codec } from "../create-codec/codec.ts";
import { type Construct, constructOf } from "../create-codec/construct.ts";
import type { MarkDefinition } from "../create-codec/definition.ts";
import { ownMarkOf } from "../create-codec/own-mark.ts";
import { contentFor } from "../create-codec/require-examples.ts";
import { CodecError } from "../error.ts";
import type { DocJSON, MarkJSON, NodeJSON } from "../types.ts";
import { hostileAlphabet } from "./alphabet.ts";
import { decorated } from "./decorated.ts";
import { documents } from "./documents.ts";
import { BrokenLaw, holdsForDocument, holdsForText, isSameJson } from "./laws.ts";

/** How many cases `codecLaws` tries, and from which seed. */
export interface LawRuns {
  /** Documents, and as many texts. Default 300. */
  readonly runs?: number;
  /** Default a new one each time. The error of a broken law has it. */
  readonly seed?: number;
}

/**
 * Tries the laws of this package on a codec of `createCodec`, on random documents and texts that are full of its nodes and
 * marks:
 * - `parse(serialize(doc))` is `doc` for a document in normal form, and `normalize` brings any document there.
 * - `normalize(parse(text))` is `parse(text)`, and `serialize(parse(markdown))` is `markdown` for what `serialize` wrote.
 * - `append` leaves what was there, node for node and byte for byte.
 *
 * `validate` and `schema` have to accept the same documents, and `toHtml` and `toPlainText` to take them. A codec with `html`
 * gets aligned text, sized images, and blocks and spans in cells, too.
 *
 * @throws an error with the seed, the smallest case found, and what became of it
 */
export function codecLaws(codec: Codec, { runs = 300, seed }: LawRuns = {}): void {
  const parameters = { numRuns: runs, ...(seed === undefined ? {} : { seed }) };
  fc.assert(
    fc.property(documentsOf(codec), (doc) => unlessRefused(() => holdsFor(codec, doc))),
    parameters,
  );
  fc.assert(
    fc.property(textsOf(codec), (text) => unlessRefused(() => holdsForText(text, {}, codec))),
    parameters,
  );
}

function holdsFor(codec: Codec, given: DocJSON): void {
  const { doc, markdown } = holdsForDocument(given, {}, {}, codec);
  const checked = codec.validate(doc, { strict: true });
  if (!checked.ok) throw new BrokenLaw("a document in normal form is valid", { doc, issues: checked.issues });
  codec.schema.nodeFromJSON(doc).check();
  codec.toHtml(doc);
  codec.toPlainText(doc);
  editKeepsRest(codec, doc, markdown);
}

// Text after a list or a directive begins a block of its own.
function editKeepsRest(codec: Codec, doc: DocJSON, markdown: string): void {
  if (markdown === "") return;
  const edited = codec.append(doc, "The end.");
  const rest = edited.content.slice(0, -1);
  if (!isSameJson(rest, doc.content)) throw new BrokenLaw("append keeps every node", { doc, edited });
  const written = codec.serializeMarkdown(edited);
  if (written !== `${markdown}\nThe end.\n`) throw new BrokenLaw("append keeps every byte", { doc, markdown, written });
}

// Images as data: URLs and too deep documents are refused by contract.
function unlessRefused(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    const isContract = error instanceof CodecError && (error.code === "INLINE_IMAGE" || error.code === "NESTING");
    if (!isContract) throw error;
  }
}

function constructsOf({ definitions }: Codec): readonly Construct[] {
  return (definitions.nodes ?? []).map(constructOf);
}

/** Random documents with the nodes and marks of a codec. */
export function documentsOf(codec: Codec): fc.Arbitrary<DocJSON> {
  const nodes = constructsOf(codec);
  const inline = nodes.filter(({ form }) => form === "inline");
  const blocks = nodes.filter(({ form }) => form !== "inline");
  const marks = (codec.definitions.marks ?? []).flatMap(({ name, markdown, examples = [] }): MarkJSON[] =>
    markdown.read ? examples.map((attrs) => ({ type: name, attrs })) : [{ type: name }],
  );
  const { html } = codec.definitions;
  const holders = html ? HOLDERS_WITH_HTML : HOLDERS;
  const choices = fc.array(fc.nat(1_000_000), { minLength: 40, maxLength: 80 });
  return fc.tuple(documents, choices).map(([doc, numbers]) => {
    let at = 0;
    const next = (below: number): number => (numbers[at++ % numbers.length] ?? 0) % below;
    const exampleOf = ({ name, definition, rules }: Construct): NodeJSON => {
      const { examples = [] } = definition;
      const attrs = examples[next(Math.max(1, examples.length))];
      return attrs && Object.keys(rules).length > 0 ? { type: name, attrs } : { type: name };
    };
    const inLine = (node: NodeJSON): NodeJSON[] => {
      const mark = marks[next(marks.length * 2 + 1)];
      const marked = mark ? { ...node, marks: [...(node.marks ?? []), mark] } : node;
      const construct = inline[next(inline.length * 4 + 1)];
      return construct ? [marked, { ...exampleOf(construct), marks: node.marks ?? [] }] : [marked];
    };
    const block = (node: NodeJSON, parent: string): NodeJSON[] => {
      if (node.type === "paragraph" || node.type === "heading") {
        return [{ ...node, ...(node.content && { content: node.content.flatMap(inLine) }) }];
      }
      const inner = node.content && {
        content: node.content.flatMap((child, index) =>
          index === 0 && parent.endsWith("Item") ? [child] : block(child, node.type),
        ),
      };
      const whole = { ...node, ...inner };
      const construct = holders.has(parent) ? blocks[next(blocks.length * 3 + 1)] : undefined;
      if (construct === undefined) return [whole];
      const own = exampleOf(construct);
      if (construct.form !== "directive") return [whole, own];
      const canHold = node.type !== "footnoteDefinition";
      const content = canHold && next(3) > 0 ? [whole] : contentFor(codec, construct.name, own.attrs);
      return canHold ? [{ ...own, content }] : [whole, { ...own, content }];
    };
    const filled: DocJSON = { type: "doc", content: doc.content.flatMap((node) => block(node, "doc")) };
    return html ? decorated(filled, numbers) : filled;
  });
}

const HOLDERS = new Set(["doc", "blockquote", "callout", "details", "listItem", "taskItem", "footnoteDefinition"]);

// Only HTML can say blocks in cells.
const HOLDERS_WITH_HTML = new Set([...HOLDERS, "tableHeader", "tableCell"]);

/** Random texts of Markdown with the signs of a codec. */
export function textsOf(codec: Codec): fc.Arbitrary<string> {
  const own = [...constructsOf(codec).flatMap(piecesOf), ...(codec.definitions.marks ?? []).flatMap(marked)];
  const piece =
    own.length === 0
      ? fc.constantFrom(...hostileAlphabet)
      : fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...hostileAlphabet) },
          { weight: 1, arbitrary: fc.constantFrom(...own) },
        );
  return fc.array(piece, { minLength: 1, maxLength: 30, size: "max" }).map((pieces) => pieces.join(""));
}

function marked(definition: MarkDefinition): string[] {
  const { delimiter, openingOf } = ownMarkOf(definition);
  const openings = (definition.examples ?? [{}]).flatMap((attrs) => openingOf(attrs) ?? []);
  return openings.flatMap((open) => [
    delimiter,
    open,
    ` ${open}a`,
    `b${delimiter}`,
    `${open}a${delimiter}`,
    `**${open}a**b${delimiter}`,
    delimiter + open,
  ]);
}

function piecesOf(construct: Construct): string[] {
  const { form, open, close, definition } = construct;
  const sources = (definition.examples ?? [{}]).map((example) => construct.sourceOf(example) ?? "");
  switch (form) {
    case "inline":
      return [open, close, ...sources.map((source) => open + source + close)];
    case "line":
      return [`\n${open}`, open, ...sources.map((source) => `\n\n${open}${source}\n\n`)];
    case "fence":
      return [`\n\`\`\`${open}\n`, ...sources.map((source) => `\n\`\`\`${open}\n${source}\n\`\`\`\n`)];
    default:
      return [
        `\n:::${open}\n`,
        `\n\n:::${open}\n\n`,
        "\n\n:::\n\n",
        ...sources.map((source) => `\n\n:::${open}${source && `[${source}]`}\na\n:::\n\n`),
      ];
  }
}
