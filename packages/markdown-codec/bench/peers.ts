import { Image } from "@tiptap/extension-image";
import { TaskItem, TaskList } from "@tiptap/extension-list";
import { TableKit } from "@tiptap/extension-table";
import { MarkdownManager } from "@tiptap/markdown";
import { StarterKit } from "@tiptap/starter-kit";
import MarkdownIt from "markdown-it";
import { defaultMarkdownParser, defaultMarkdownSerializer } from "prosemirror-markdown";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { parseMarkdown, serializeMarkdown } from "../src/index.ts";

/** A codec under measure: `parse` returns its own document, `serialize` writes that document back. */
export interface Peer {
  name: string;
  parse: (markdown: string) => unknown;
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
