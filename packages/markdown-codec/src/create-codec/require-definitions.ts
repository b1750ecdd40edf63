import { Schema } from "prosemirror-model";
import { isAllowed } from "../content.ts";
import { CodecError } from "../error.ts";
import { RANKS } from "../normal/marks.ts";
import { RAW_BLOCKS, RAW_INLINES } from "../raw.ts";
import { schema as plainSchema } from "../schema.ts";
import type { Path } from "../types.ts";
import { partsOf } from "./construct.ts";
import type { Definitions, MarkDefinition, NodeDefinition } from "./definition.ts";

const NAME = /^[a-zA-Z][a-zA-Z0-9]*$/;
// No syntax of this package begins with one of these, and no address is likely to hold two.
const SIGN = /^["%'(;?@{}]/;
const OPEN = /^[^\s\p{L}\p{N}\p{Cc}<&\\`[\]*_~^=+$!:|]{2}[^\n\\`<&|]{0,30}$/u;
const CLOSE = /^[^\s\\`<&|]{1,30}$/;
const DELIMITER = /^(["%'(;?@{}])\1{1,2}$/;
const DIRECTIVE = /^[a-z]+$/;
const FENCE = /^[A-Za-z0-9_.+-]+$/;
const CALLOUTS = new Set("info tip note warning danger caution success".split(" "));

function refuse(path: Path, message: string): never {
  throw new CodecError("INVALID_DEFINITION", message, { path });
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

/**
 * Refuses definitions that cannot work: names that are taken, signs that other syntax has, content that does not exist.
 *
 * @throws CodecError `INVALID_DEFINITION` with the path to the wrong part
 */
export function requireDefinitions(definitions: Definitions): void {
  if (!isObject(definitions)) refuse([], "Expected definitions.");
  const { nodes = [], marks = [] } = definitions;
  if (!Array.isArray(nodes)) refuse(["nodes"], "Expected a list.");
  if (!Array.isArray(marks)) refuse(["marks"], "Expected a list.");
  const names = new Set<string>([...Object.keys(plainSchema.nodes), ...RANKS, ...RAW_BLOCKS, ...RAW_INLINES]);
  const requireName = (name: unknown, path: Path): void => {
    if (typeof name !== "string" || !NAME.test(name)) refuse(path, "A name has letters and digits only.");
    if (names.has(name)) refuse(path, `The name ${name} is taken.`);
    names.add(name);
  };
  nodes.forEach((node, index) => {
    const path = ["nodes", index];
    requireName(node?.name, [...path, "name"]);
    requireParts(node, path);
    requireSyntax(node, [...path, "markdown"]);
    requireSpec(node, [...path, "spec"]);
  });
  marks.forEach((mark, index) => {
    requireName(mark?.name, ["marks", index, "name"]);
    requireMark(mark, ["marks", index]);
  });
  requireApart(nodes, marks);
  nodes.forEach((node, index) => {
    requireContent(node, nodes, ["nodes", index, "spec", "content"]);
  });
}

function requireParts({ spec, markdown, html, text, examples }: NodeDefinition, path: Path): void {
  if (!isObject(spec)) refuse([...path, "spec"], "Expected a ProseMirror spec.");
  if (!isObject(markdown)) refuse([...path, "markdown"], "Expected a rule for Markdown.");
  if (typeof html !== "function") refuse([...path, "html"], "Expected a function that returns an element.");
  if (text !== undefined && typeof text !== "function") refuse([...path, "text"], "Expected a function.");
  if (typeof markdown.read !== "function") refuse([...path, "markdown", "read"], "Expected a function.");
  if (typeof markdown.write !== "function") refuse([...path, "markdown", "write"], "Expected a function.");
  const hasAttrs = Object.keys(spec.attrs ?? {}).length > 0;
  if (hasAttrs && !examples?.length) refuse([...path, "examples"], "A node with attributes has at least one example.");
}

function requireSyntax(node: NodeDefinition, path: Path): void {
  const { form, open, close } = partsOf(node);
  if (typeof open !== "string") refuse(path, "Expected open and close, line, fence or directive.");
  if (open === "") refuse(path, "A rule that takes no character would never end.");
  switch (form) {
    case "inline":
      if (!SIGN.test(open) || !OPEN.test(open))
        refuse([...path, "open"], `\`${open}\` begins with two signs, the first one of " % ' ( ; ? @ { }.`);
      if (typeof close !== "string" || !CLOSE.test(close) || /^[\p{L}\p{N}]/u.test(close))
        refuse([...path, "close"], "The end is one sign or more, without spaces, backslashes, backticks, < & and |.");
      return;
    case "line":
      if (!SIGN.test(open) || !OPEN.test(open))
        refuse([...path, "line"], `\`${open}\` begins with two signs, the first one of " % ' ( ; ? @ { }.`);
      return;
    case "fence":
      if (!FENCE.test(open)) refuse([...path, "fence"], "A language has letters, digits and . _ + - only.");
      return;
    default:
      if (!DIRECTIVE.test(open)) refuse([...path, "directive"], "A directive is a word of small letters.");
      if (CALLOUTS.has(open)) refuse([...path, "directive"], `The directive ${open} is a callout.`);
  }
}

function requireSpec(node: NodeDefinition, path: Path): void {
  const { form } = partsOf(node);
  const { group, inline, content } = node.spec;
  const isInline = form === "inline";
  const expected = isInline ? "inline" : "block";
  if (group !== undefined && group !== expected) refuse([...path, "group"], `The group is ${expected}.`);
  if (inline !== undefined && inline !== isInline) refuse([...path, "inline"], `It has to be ${isInline}.`);
  if (form === "directive" && !content) refuse([...path, "content"], "A directive has blocks inside, such as block+.");
  if (form !== "directive" && content) refuse([...path, "content"], "Only a directive has content.");
}

// A schema with this node's content alone, so that the fault is this node's.
function requireContent({ name, spec: { content } }: NodeDefinition, all: readonly NodeDefinition[], path: Path): void {
  if (!content) return;
  const others = all.map((other) => [
    other.name,
    { group: "open" in other.markdown ? "inline" : "block", inline: "open" in other.markdown },
  ]);
  const nodes = plainSchema.spec.nodes.append({ ...Object.fromEntries(others), [name]: { content, group: "block" } });
  try {
    const type = new Schema({ nodes, marks: plainSchema.spec.marks }).nodes[name];
    const inner = type?.contentMatch.defaultType;
    const isBlocks =
      type && !type.inlineContent && inner && (inner.isInGroup("block") || isAllowed(inner.name, "doc", 0));
    if (!isBlocks || type.contentMatch.validEnd) refuse(path, "The content has to be one block or more.");
  } catch (error) {
    if (error instanceof CodecError) throw error;
    refuse(path, `The content ${content} does not exist: ${String(error)}`);
  }
}

function requireMark({ spec = {}, markdown, html, examples }: MarkDefinition, path: Path): void {
  if (typeof markdown?.delimiter !== "string" || !DELIMITER.test(markdown.delimiter))
    refuse([...path, "markdown", "delimiter"], "A delimiter is one of \" % ' ( ; ? @ { } two or three times.");
  const hasAttrs = Object.keys(spec.attrs ?? {}).length > 0;
  for (const part of ["read", "write"] as const) {
    if (typeof markdown[part] !== (hasAttrs ? "function" : "undefined"))
      refuse([...path, "markdown", part], "A mark with attributes has functions to read and write them, no other has.");
  }
  if (hasAttrs && !examples?.length) refuse([...path, "examples"], "A mark with attributes has at least one example.");
  if (spec.excludes !== undefined)
    refuse([...path, "spec", "excludes"], "A text has this mark once, beside all others.");
  if (typeof html !== "function" && typeof html?.tag !== "string") refuse([...path, "html"], "Expected an element.");
}

// No sign may begin another one, and that of a mark stands alone: a run of it is judged as a whole.
function requireApart(nodes: readonly NodeDefinition[], marks: readonly MarkDefinition[]): void {
  const signs: { readonly sign: string; readonly isMark: boolean; readonly path: Path }[] = [];
  nodes.forEach((node, index) => {
    const { form, open } = partsOf(node);
    const path = ["nodes", index, "markdown", form === "inline" ? "open" : form];
    signs.push({ sign: form === "inline" || form === "line" ? open : `${form} ${open}\n`, isMark: false, path });
  });
  marks.forEach(({ markdown }, index) => {
    signs.push({ sign: markdown.delimiter, isMark: true, path: ["marks", index, "markdown", "delimiter"] });
  });
  signs.forEach(({ sign, isMark, path }, index) => {
    for (const other of signs.slice(0, index)) {
      const isBegun = sign.startsWith(other.sign) || other.sign.startsWith(sign);
      const sharesSign = (isMark || other.isMark) && sign.charAt(0) === other.sign.charAt(0);
      if (isBegun || sharesSign) refuse(path, `\`${sign.trim()}\` cannot be told from \`${other.sign.trim()}\`.`);
    }
  });
}
