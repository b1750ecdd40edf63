import type { MathFault, MathNode, MathReader } from "markdown-codec/html";
import { faultOf } from "./formula-fault.ts";
import { readFormula } from "./read-formula.ts";

const maxCharacters = 40_000;
const maxElements = 30_000;

/**
 * Returns the reader of formulas of one page. It stops at a number of characters and elements that no page of a person has, so
 * that a hostile page costs the server no more than a long one. A formula that occurs again costs nothing.
 */
export function formulasOfPage(): MathReader {
  const known = new Map<string, MathNode | MathFault>();
  let characters = 0;
  let elements = 0;
  return (latex, display) => {
    const key = `${display} ${latex}`;
    const before = known.get(key);
    // It is written again all the same.
    if (before !== undefined) {
      elements += countElements(before);
      return elements > maxElements ? tooMany : before;
    }
    characters += latex.length;
    if (characters > maxCharacters || elements >= maxElements) return tooMany;
    const found = readFormula(latex, display);
    elements += countElements(found);
    known.set(key, found);
    return found;
  };
}

const tooMany: MathFault = faultOf("too_many_formulas", "The page has too many formulas to show this one.");

function countElements(node: MathNode | MathFault | string): number {
  if (typeof node === "string") return 0;
  if ("fault" in node) return 1;
  return node.children.reduce((sum, child) => sum + countElements(child), 1);
}
