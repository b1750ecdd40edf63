import type { MathFault, MathNode, MathReader } from "../types.ts";
import { escapeText } from "./escape.ts";

// Those that show formulas. None loads, links to, or holds anything else: no `annotation-xml`, `maction`, `mglyph`.
const ELEMENTS: ReadonlySet<string> = new Set(
  "math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover".split(
    " ",
  ),
);

const BOOLEAN = /^(?:true|false)$/;
// A number with a unit, also of the width of the content (`-1width`).
const LENGTH = /^([-+]?\d{0,6}(?:\.\d{1,8})?)(em|ex|px|pt|mu|%|width)?$/;
// The units in em; those of a font's size and of the content count as they are.
const UNITS: { readonly [unit: string]: number } = { ex: 0.5, px: 1 / 16, pt: 1 / 12, mu: 1 / 18, "%": 0.01 };
// A formula may have room, and its parts may lie over each other. One that moved further would lie over the text around it.
const MOST_ROOM = 40;
const MOST_MOVED = 4;
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
  const pattern = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined;
  return pattern?.test(value) === true && (pattern !== LENGTH || isBounded(name, value));
}

function isBounded(name: string, value: string): boolean {
  const [, number, unit = ""] = LENGTH.exec(value) ?? [];
  const amount = Number(number) * (UNITS[unit] ?? 1);
  return amount >= -MOST_MOVED && amount <= (name === "voffset" ? MOST_MOVED : MOST_ROOM);
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

/** The reason, with a direction of its own, and its code and values for pages that say it in other words. */
function faultHtml({ fault, code = "", values = {} }: MathFault, before = "", after = ""): string {
  const data = /^[a-z_]+$/.test(code)
    ? ` data-fault="${code}" data-values="${escapeText(JSON.stringify(values))}"`
    : "";
  return `<small class="math-fault" dir="auto"${data}>${before}${escapeText(fault)}${after}</small>`;
}

/** A formula in a line of text: MathML, or its source with the reason, or its source where nothing reads formulas. */
export function inlineMathHtml(latex: unknown, read: MathReader | undefined): string {
  const found = read?.(String(latex), false);
  const source = `<code class="math">${escapeText(latex)}</code>`;
  if (found === undefined) return source;
  return "fault" in found ? `${source} ${faultHtml(found, "(", ")")}` : mathHtml(found);
}

/** A formula on lines of its own; see `inlineMathHtml`. */
export function blockMathHtml(latex: unknown, read: MathReader | undefined): string {
  const found = read?.(String(latex), true);
  const text = escapeText(latex);
  const source = `<pre><code class="math">${text && `${text}\n`}</code></pre>\n`;
  if (found === undefined) return source;
  return "fault" in found
    ? `<div class="math">\n${source}${faultHtml(found)}\n</div>\n`
    : `<div class="math">${mathHtml(found)}</div>\n`;
}
