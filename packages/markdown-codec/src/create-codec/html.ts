import { CodecError } from "../error.ts";
import { escapeText } from "../html/escape.ts";
import { address, attribute, type OwnHtml, type Page } from "../html/inline.ts";
import { requireTree } from "../shape.ts";
import type { Attrs, DocJSON, MarkJSON, NodeJSON } from "../types.ts";
import { completeAttrs } from "./attributes.ts";
import { type Constructs, wordsOf } from "./construct.ts";
import type { HtmlElement } from "./definition.ts";
import type { OwnMark } from "./own-mark.ts";
import { called } from "./translate.ts";

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

// Elements that show something and run nothing, load nothing but a picture, and have no part in forms.
const TAGS = words(
  "a abbr aside b bdi bdo blockquote br caption cite code data dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark meter nav ol p pre progress q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr",
);
const VOID = words("br hr img wbr");
const ADDRESSES = words("href src cite");
// Ids belong to headings and footnotes, and styles could cover the page.
const ATTRIBUTE =
  /^(?:class|title|lang|dir|role|alt|width|height|datetime|value|min|max|low|high|optimum|open|start|colspan|rowspan|scope|(?:data|aria)-[a-z][a-z0-9-]*)$/;

/** The HTML of the nodes of an integrator. */
export function ownHtmlOf({ byName }: Constructs): Omit<OwnHtml, "marks"> {
  return {
    node(node, page, inner = () => ""): string | undefined {
      const construct = byName.get(node.type);
      if (construct === undefined) return undefined;
      const attrs = completeAttrs(construct.rules, node.attrs);
      if (attrs === undefined) throw new CodecError("INVALID_DOC", `The attributes of a ${node.type} are wrong.`);
      return elementHtml(
        called(construct.name, "html", () => construct.definition.html(attrs)),
        page,
        inner,
      );
    },
    words(node): string | undefined {
      const construct = byName.get(node.type);
      return construct && wordsOf(construct, completeAttrs(construct.rules, node.attrs) ?? {});
    },
  };
}

/** The document with marks of an integrator whose names are their tags, and those tags. @throws CodecError `INVALID_DOC`, `NESTING` */
export function withTags(doc: DocJSON, { marks }: Constructs): { doc: DocJSON; tags: OwnHtml["marks"] } {
  requireTree(doc);
  if (marks.length === 0) return { doc, tags: {} };
  const byMark = new Map(marks.map((mark) => [mark.name, new Set<string>()]));
  const tagged = (mark: MarkJSON): MarkJSON => {
    const own = marks.find(({ name }) => name === mark.type);
    if (own === undefined) return mark;
    const tag = markHtml(own, mark.attrs);
    byMark.get(own.name)?.add(tag);
    return { type: nameOf(tag) };
  };
  const visit = (node: NodeJSON): NodeJSON => ({
    ...node,
    ...(node.marks && { marks: node.marks.map(tagged) }),
    ...(node.content && { content: node.content.map(visit) }),
  });
  const content = doc.content.map(visit);
  const tags = Array.from(byMark.values(), (found) => [...found]).flat();
  return { doc: { ...doc, content }, tags: Object.fromEntries(tags.map((tag) => [nameOf(tag), tag])) };
}

// Not a name of this package, such as code.
const nameOf = (tag: string): string => `own ${tag}`;

// The tag of a mark with its attributes, without angle brackets.
function markHtml({ name, rules, definition: { html } }: OwnMark, given: Attrs | undefined): string {
  const own = completeAttrs(rules, given);
  if (own === undefined) throw new CodecError("INVALID_DOC", `The attributes of a ${name} are wrong.`);
  const { tag, attrs = {} } = typeof html === "function" ? called(name, "html", () => html(own)) : html;
  requireTag(tag);
  const isAddress = Object.keys(attrs).find((key) => ADDRESSES.has(key));
  if (isAddress !== undefined || VOID.has(tag)) throw refused(`The HTML of a mark is no link and no picture: ${tag}.`);
  return tag + attributesHtml(attrs, undefined);
}

/** An element as HTML: text and attributes escaped. @throws CodecError `INVALID_DEFINITION` for what could do more than show */
function elementHtml(element: HtmlElement, page: Page, inner: () => string): string {
  const { tag, attrs, children } = requireElement(element);
  const start = `<${tag}${attributesHtml(attrs ?? {}, page)}`;
  if (VOID.has(tag)) return `${start} />`;
  let out = `${start}>`;
  for (const child of children ?? []) {
    if (child === 0) out += `\n${inner()}`;
    else out += typeof child === "string" ? escapeText(child) : elementHtml(child, page, inner);
  }
  return `${out}</${tag}>`;
}

// JavaScript can return anything.
function requireElement(element: HtmlElement | null | undefined): HtmlElement {
  if (!(element && Array.isArray(element.children ?? []))) {
    throw refused("`html` returns an element whose children are a list of elements, texts and 0.");
  }
  requireTag(element.tag);
  return element;
}

function requireTag(tag: string): void {
  if (!TAGS.has(tag)) throw refused(`HTML cannot have the element ${tag}.`);
}

function attributesHtml(attrs: Attrs, page: Page | undefined): string {
  let out = "";
  for (const [name, value] of Object.entries(attrs)) {
    if (ADDRESSES.has(name) && page) out += value === null ? "" : address(name, value, page);
    else if (ATTRIBUTE.test(name)) out += value === "" ? ` ${name}=""` : attribute(name, value);
    else throw refused(`HTML cannot have the attribute ${name}.`);
  }
  return out;
}

const refused = (message: string): CodecError => new CodecError("INVALID_DEFINITION", message);
