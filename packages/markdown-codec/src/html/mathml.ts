import type { MathNode, MathReader } from "../types.ts";
import { escapeText } from "./escape.ts";

// Those that show formulas. None loads, links to, or holds anything else: no `annotation-xml`, `maction`, `mglyph`.
const ELEMENTS: ReadonlySet<string> = new Set(
  "math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover".split(
    " ",
  ),
);

const BOOLEAN = /^(?:true|false)$/;
// A number with a unit, also of the width of the content (`-1width`).
const LENGTH = /^[-+]?\d{0,6}(?:\.\d{1,8})?(?:em|ex|px|pt|mu|%|width)?$/;
const COLOR = /^(?:#[0-9a-f]{3,8}|[a-z]{1,24})$/i;
const ATTRIBUTES: { readonly [name: string]: RegExp } = {
  accent: BOOLEAN,
  accentunder: BOOLEAN,
  class: /^(?:(?:math-[a-z-]+|tml-[a-z]+|menclose|upstrike|downstrike|sout)(?: |$))+$/,
  columnspan: /^\d{1,3}$/,
  depth: LENGTH,
  display: /^(?:block|inline)$/,
  displaystyle: BOOLEAN,
  fence: BOOLEAN,
  form: /^(?:prefix|infix|postfix)$/,
  height: LENGTH,
  largeop: BOOLEAN,
  linethickness: LENGTH,
  lspace: LENGTH,
  mathbackground: COLOR,
  mathcolor: COLOR,
  mathsize: LENGTH,
  mathvariant: /^normal$/,
  maxsize: LENGTH,
  minsize: LENGTH,
  movablelimits: BOOLEAN,
  notation: /^[a-z]+(?: [a-z]+){0,5}$/,
  rowspan: /^\d{1,3}$/,
  rspace: LENGTH,
  scriptlevel: /^[-+]?\d$/,
  separator: BOOLEAN,
  stretchy: BOOLEAN,
  symmetric: BOOLEAN,
  voffset: LENGTH,
  width: LENGTH,
};

/** Whether pages may have this element of MathML. */
export function isMathElement(name: string): boolean {
  return ELEMENTS.has(name);
}

/** Whether pages may have this attribute of MathML with this value. */
export function isMathAttribute(name: string, value: string): boolean {
  return Object.hasOwn(ATTRIBUTES, name) && ATTRIBUTES[name]?.test(value) === true;
}

/** The element as markup. Only elements and attributes that a page may have come through, from any tree; of others, only the content. */
function mathHtml(node: MathNode | string): string {
  if (typeof node === "string") return escapeText(node);
  const { name, attributes, children } = node;
  const inner = children.map(mathHtml).join("");
  if (!isMathElement(name)) return inner;
  const shown = Object.entries(attributes)
    .filter(([attribute, value]) => isMathAttribute(attribute, value))
    .map(([attribute, value]) => ` ${attribute}="${escapeText(value)}"`);
  return `<${name}${shown.join("")}>${inner}</${name}>`;
}

/** A formula in a line of text: MathML, or its source with the reason, or its source where nothing reads formulas. */
export function inlineMathHtml(latex: unknown, read: MathReader | undefined): string {
  const found = read?.(String(latex), false);
  const source = `<code class="math">${escapeText(latex)}</code>`;
  if (found === undefined) return source;
  return "fault" in found
    ? `${source} <small class="math-fault">(${escapeText(found.fault)})</small>`
    : mathHtml(found);
}

/** A formula on lines of its own; see `inlineMathHtml`. */
export function blockMathHtml(latex: unknown, read: MathReader | undefined): string {
  const found = read?.(String(latex), true);
  const text = escapeText(latex);
  const source = `<pre><code class="math">${text && `${text}\n`}</code></pre>\n`;
  if (found === undefined) return source;
  return "fault" in found
    ? `${source}<p class="math-fault"><small>${escapeText(found.fault)}</small></p>\n`
    : `<div class="math">${mathHtml(found)}</div>\n`;
}
