import type { MathFault, MathNode } from "markdown-codec/html";
import temml from "temml";
import { MathTooLarge, mathTree } from "./math-tree.ts";

const maxLength = 4_000;
const maxReason = 160;

/** Commands that define others. Nothing bounds the text of a macro with arguments: Temml counts expansions, not their size. */
const definition =
  /\\(?:[egx]?def|global|long|let|futurelet|(?:new|renew|provide)command|DeclareMathOperator)(?![A-Za-z@])/;

/**
 * Returns a formula as MathML, or the reason why it cannot be shown.
 * @param display whether it stands on lines of its own
 * @param maxElements a smaller bound than the usual 4,000
 */
export function readFormula(latex: string, display: boolean, maxElements?: number): MathNode | MathFault {
  if (latex.length > maxLength) return { fault: `The formula is longer than ${maxLength} characters.` };
  const [found] = definition.exec(latex) ?? [];
  if (found !== undefined) return { fault: `A formula here cannot define commands, as ${found} does.` };
  try {
    const tree = temml.__renderToMathMLTree(latex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: false,
      maxSize: [20, 20],
      maxExpand: 200,
    });
    return mathTree(tree, maxElements);
  } catch (error) {
    return { fault: reasonOf(error) };
  }
}

/** Temml says what it met and where; further lines repeat the source. Anything else is a defect of Temml, or too deep for it. */
function reasonOf(error: unknown): string {
  if (error instanceof MathTooLarge) return error.message;
  if (!(error instanceof Error) || error.name !== "ParseError") return "The formula cannot be read.";
  const [line = ""] = error.message.trim().split("\n");
  return line
    .replace(/:\s*[^:]*\u0332.*$|:\s*$/u, "")
    .slice(0, maxReason)
    .toWellFormed();
}
