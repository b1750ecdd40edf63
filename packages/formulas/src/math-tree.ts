import { isMathAttribute, isMathElement, type MathNode } from "markdown-codec/html";
import type { TemmlNode } from "temml";

const defaultMaxElements = 4_000;
const maxDepth = 60;

/** A formula of more elements or levels than a page can show. */
export class MathTooLarge extends Error {}

/**
 * Returns Temml's tree with only what a page may have. Groups, links and other elements become their content; of the styles
 * remain colors, as attributes, and those that a class stands for: a page refuses styles within elements.
 * @throws {MathTooLarge}
 */
export function mathTree(root: TemmlNode, maxElements = defaultMaxElements): MathNode {
  let elements = 0;
  const read = (node: TemmlNode, depth: number): (MathNode | string)[] => {
    if (node.text !== undefined) return [node.text];
    if (++elements > maxElements || depth > maxDepth) throw new MathTooLarge("The formula is too large to be shown.");
    const children = (node.children ?? []).flatMap((child) => read(child, depth + 1));
    const { type } = node;
    return type !== undefined && isMathElement(type)
      ? [{ name: type, attributes: attributesOf(node), children }]
      : children;
  };
  const [first, ...others] = read(root, 0);
  if (first === undefined || typeof first === "string" || first.name !== "math" || others.length > 0) {
    throw new MathTooLarge("The formula cannot be shown.");
  }
  return first;
}

function attributesOf(node: TemmlNode): { readonly [name: string]: string } {
  const { attributes = {}, classes = [], style = {} } = node;
  const found = { ...attributes, ...(style.color !== undefined && { mathcolor: style.color }) };
  const shown = Object.entries(found)
    .map(([name, value]) => [name, String(value)] as const)
    .filter(([name, value]) => name !== "class" && isMathAttribute(name, value));
  const named = [...classes, ...classesOf(style)].filter((name) => isMathAttribute("class", name));
  return { ...Object.fromEntries(shown), ...(named.length > 0 && { class: [...new Set(named)].join(" ") }) };
}

const isNone = (value: unknown): boolean => /^0(?:em|pt|px)?$/.test(String(value));

/** The classes that stand for the styles of an element. */
function classesOf(style: { readonly [property: string]: unknown }): string[] {
  const { padding, paddingLeft, paddingRight, border, borderTop, borderBottom, borderLeft, borderRight, width } = style;
  return [
    ...(isNone(paddingLeft) ? ["math-no-left"] : []),
    ...(isNone(paddingRight) ? ["math-no-right"] : []),
    ...(isNone(padding) ? ["math-no-left", "math-no-right"] : []),
    ...(/^[\d.]+(?:em|pt)$/.test(String(padding)) && !isNone(padding) ? ["math-padded"] : []),
    ...(border === undefined ? [] : ["math-top", "math-bottom", "math-left", "math-right"]),
    ...(borderTop === undefined ? [] : ["math-top"]),
    ...(borderBottom === undefined ? [] : ["math-bottom"]),
    ...(borderLeft === undefined ? [] : ["math-left"]),
    ...(borderRight === undefined ? [] : ["math-right"]),
    ...(width === "100%" ? ["math-wide"] : []),
    ...(width === "50%" ? ["math-half"] : []),
  ];
}
