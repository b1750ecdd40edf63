import { isDeepStrictEqual } from "node:util";
import type { JSONContent } from "@tiptap/core";
import spec from "commonmark-spec";
import fc from "fast-check";
import { defaultMarkdownParser, defaultMarkdownSerializer, schema } from "prosemirror-markdown";
import {
  type DocJSON,
  fromDialect,
  type NodeJSON,
  normalize,
  parseMarkdown,
  renameDialect,
  serializeMarkdown,
} from "../src/index.ts";
import { body, realFiles } from "../test/corpus.ts";
import { ordinaryDocuments } from "../test/ordinary-documents.ts";
import { documentReading } from "../test/read-document.ts";
import { peers, tiptap } from "./peers.ts";

const notCompared = new Set(["position", "spread", "tight"]);

/** A document as plain data, without positions in a source and looseness of lists, which not every codec knows. */
function comparable(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document, (key, value) => (notCompared.has(key) ? undefined : value)));
}

/** How many of `texts` give the same document again after one pass through Markdown, in percent. */
function textSurvival(
  parse: (text: string) => unknown,
  serialize: (text: string) => () => string,
  texts: string[],
): number {
  const kept = texts.filter((text) => {
    try {
      return isDeepStrictEqual(comparable(parse(serialize(text)())), comparable(parse(text)));
    } catch {
      return false;
    }
  });
  return (100 * kept.length) / texts.length;
}

/** Through Markdown and back, in our names; throws where the codec does. */
type Passage = (doc: DocJSON) => DocJSON;

const passages: Record<string, Passage> = {
  "markdown-codec": (doc) => parseMarkdown(serializeMarkdown(doc)),
  "prosemirror-markdown": (doc) => {
    const node = schema.nodeFromJSON(renameDialect(doc, "prosemirror"));
    return asDocument(
      fromDialect(defaultMarkdownParser.parse(defaultMarkdownSerializer.serialize(node)).toJSON(), "prosemirror"),
    );
  },
  "@tiptap/markdown": (doc) => asDocument(tiptap.parse(tiptap.serialize(asContent(doc)))),
};

/** The reading below looks at nodes, whatever their root claims to be. */
function asDocument(json: unknown): DocJSON {
  return json as DocJSON;
}

/** tiptap's type for the same JSON, which names the same fields but lets them be undefined. */
function asContent(doc: DocJSON): JSONContent {
  return doc as JSONContent;
}

const beyondCommonMark = new Set(["table", "taskList", "strike"]);

/** The document without what prosemirror-markdown has no name for; null where nothing is left. */
function withinCommonMark(node: NodeJSON): NodeJSON | null {
  if (beyondCommonMark.has(node.type)) return null;
  const { content, marks, ...rest } = node;
  const kept = (content ?? []).flatMap((child) => withinCommonMark(child) ?? []);
  if (content && kept.length === 0) return null;
  const shown = (marks ?? []).filter((mark) => !beyondCommonMark.has(mark.type));
  return { ...rest, ...(content ? { content: kept } : {}), ...(shown.length > 0 ? { marks: shown } : {}) };
}

function documentSurvival(pass: Passage, docs: DocJSON[]): number {
  const kept = docs.filter((doc) => {
    try {
      return isDeepStrictEqual(documentReading(pass(doc)), documentReading(doc));
    } catch {
      return false;
    }
  });
  return (100 * kept.length) / docs.length;
}

/** A Markdown table: what survives one pass in each codec, from text and from documents. */
export function survivalTable(): string {
  const examples = spec.tests.map((example) => example.markdown.replaceAll("→", "\t"));
  const files = realFiles().filter((_, index, all) => index % Math.ceil(all.length / 60) === 0);
  const docs = fc.sample(ordinaryDocuments, { numRuns: 2_000, seed: 1 }).flatMap((doc) => {
    const within = withinCommonMark(doc);
    return within ? [normalize(asDocument(within)).doc] : [];
  });
  const lines = [
    `| codec | CommonMark's ${examples.length} examples | ${files.length} real files | ${docs.length} documents |`,
    "| --- | ---: | ---: | ---: |",
  ];
  for (const { name, parse, serialize } of peers) {
    const passage = passages[name];
    const cells = [
      textSurvival(parse, serialize, examples),
      textSurvival(
        parse,
        serialize,
        files.map((file) => body(file.text)),
      ),
      ...(passage ? [documentSurvival(passage, docs)] : []),
    ];
    const shown = cells.map((cell) => `${cell.toFixed(1)} %`);
    lines.push(`| ${name} | ${[...shown, ...(passage ? [] : ["has its own model"])].join(" | ")} |`);
  }
  return lines.join("\n");
}
