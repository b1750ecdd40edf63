import type { Token } from "markdown-it";
import { MarkdownParser, type ParseSpec } from "prosemirror-markdown";
import type { Mark, Node } from "prosemirror-model";
import { schema } from "./schema.ts";
import type { Environment } from "./syntax/environment.ts";
import { createTokenizer } from "./syntax/tokenizer.ts";
import type { MarkJSON, NodeJSON } from "./types.ts";

const PARSE_RULES: { readonly [token: string]: ParseSpec } = {
  paragraph: { block: "paragraph" },
  heading: { block: "heading", getAttrs: (token) => ({ level: Number(token.tag.slice(1)), id: token.attrGet("id") }) },
  blockquote: { block: "blockquote" },
  bullet_list: { block: "bulletList" },
  ordered_list: { block: "orderedList", getAttrs: (token) => ({ start: Number(token.attrGet("start") ?? 1) }) },
  list_item: { block: "listItem" },
  task_list: { block: "taskList" },
  task_item: { block: "taskItem", getAttrs: (token) => ({ checked: token.attrGet("checked") === "x" }) },
  code_block: { block: "codeBlock", noCloseToken: true },
  fence: { block: "codeBlock", noCloseToken: true, getAttrs: (token) => ({ language: language(token) }) },
  hr: { node: "horizontalRule" },
  table: { block: "table" },
  thead: { ignore: true },
  tbody: { ignore: true },
  tr: { block: "tableRow" },
  th: { block: "tableHeader", getAttrs: (token) => ({ align: align(token) }) },
  td: { block: "tableCell", getAttrs: (token) => ({ align: align(token) }) },
  footnote: { block: "footnoteDefinition", getAttrs: (token) => ({ label: token.attrGet("label") }) },
  footnote_ref: { node: "footnoteReference", getAttrs: (token) => ({ label: token.attrGet("label") }) },
  hardbreak: { node: "hardBreak" },
  image: {
    node: "image",
    getAttrs: (token) => ({
      src: token.attrGet("src"),
      alt: token.attrGet("alt") || null,
      title: token.attrGet("title") || null,
    }),
  },
  link: {
    mark: "link",
    getAttrs: (token) => ({ href: token.attrGet("href"), title: token.attrGet("title") || null }),
  },
  strong: { mark: "bold" },
  em: { mark: "italic" },
  s: { mark: "strike" },
  underline: { mark: "underline" },
  highlight: { mark: "highlight" },
  subscript: { mark: "subscript" },
  superscript: { mark: "superscript" },
  code_inline: { mark: "code", noCloseToken: true },
};

const parsers = new Map<number, MarkdownParser>();

function parserFor(containers: number): MarkdownParser {
  const known = parsers.get(containers);
  if (known) return known;
  const parser = new MarkdownParser(schema, createTokenizer(containers), PARSE_RULES);
  parsers.set(containers, parser);
  return parser;
}

function language(token: Token): string | null {
  return parserFor(DEFAULT_CONTAINERS).tokenizer.utils.unescapeAll(token.info).trim() || null;
}

const DEFAULT_CONTAINERS = 200;

function align(token: Token): string | null {
  const style = token.attrGet("style");
  return style === null ? null : style.slice("text-align:".length);
}

/** Reads Markdown into JSON as the syntax says; `normalize` makes a document of it. */
export function readMarkdown(text: string, environment: Environment): NodeJSON {
  return nodeJSON(parserFor(environment.containers).parse(text, environment));
}

/** A node as plain JSON with fresh objects, so that whoever receives it may change it. */
export function nodeJSON(node: Node): NodeJSON {
  const marks = node.marks.length > 0 ? { marks: node.marks.map(markJSON) } : undefined;
  if (node.isText) return { type: "text", ...marks, text: node.text ?? "" };
  const content: NodeJSON[] = [];
  node.forEach((child) => {
    content.push(nodeJSON(child));
  });
  return {
    type: node.type.name,
    ...(hasAttrs(node) ? { attrs: { ...node.attrs } } : undefined),
    ...(content.length > 0 ? { content } : undefined),
    ...marks,
  };
}

function hasAttrs(node: Node): boolean {
  return node.type.spec.attrs !== undefined;
}

function markJSON(mark: Mark): MarkJSON {
  return mark.type.spec.attrs === undefined
    ? { type: mark.type.name }
    : { type: mark.type.name, attrs: { ...mark.attrs } };
}
