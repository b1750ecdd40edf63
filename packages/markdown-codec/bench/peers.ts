import { Image } from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import { MarkdownManager } from "@tiptap/markdown";
import { StarterKit } from "@tiptap/starter-kit";
import { Parser } from "commonmark";
import MarkdownIt from "markdown-it";
import { marked } from "marked";
import { defaultMarkdownParser, defaultMarkdownSerializer } from "prosemirror-markdown";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { parseMarkdown, serializeMarkdown } from "../src/index.ts";

/** A reader under measure: `parse` returns its own document. */
export interface Reader {
  name: string;
  parse: (markdown: string) => unknown;
}

/** A codec under measure: a reader that writes its document back. */
export interface Peer extends Reader {
  /** The work of writing the document that `parse` gave for `markdown`, ready to be timed. */
  serialize: (markdown: string) => () => string;
}

const tokenizer = new MarkdownIt();

/** The measure of all others: markdown-it cutting the text into tokens, nothing more. */
export function tokenize(markdown: string): unknown {
  return tokenizer.parse(markdown, {});
}

const remark = unified().use(remarkParse).use(remarkGfm).use(remarkStringify);
/** @tiptap/markdown with the extensions that the page needs. */
export const tiptap = new MarkdownManager({
  extensions: [StarterKit, TaskList, TaskItem.configure({ nested: true }), Image.configure({ inline: true }), TableKit],
});

function peer<Document>(name: string, parse: (text: string) => Document, write: (doc: Document) => string): Peer {
  return {
    name,
    parse,
    serialize: (markdown) => {
      const document = parse(markdown);
      return () => write(document);
    },
  };
}

/** The codecs compared, ours first. */
export const peers: Peer[] = [
  peer(
    "markdown-codec",
    (text) => parseMarkdown(text),
    (doc) => serializeMarkdown(doc),
  ),
  peer(
    "prosemirror-markdown",
    (text) => defaultMarkdownParser.parse(text),
    (doc) => defaultMarkdownSerializer.serialize(doc),
  ),
  peer(
    "remark + remark-gfm",
    (text) => remark.parse(text),
    (tree) => remark.stringify(tree),
  ),
  peer(
    "@tiptap/markdown",
    (text) => tiptap.parse(text),
    (doc) => tiptap.serialize(doc),
  ),
];

const commonmark = new Parser();

/** Parsers that write no Markdown, only HTML: they are compared by reading alone. */
export const readers: Reader[] = [
  { name: "marked", parse: (text) => marked.lexer(text) },
  { name: "commonmark.js", parse: (text) => commonmark.parse(text) },
];
