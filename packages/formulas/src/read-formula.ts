import type { MathFault, MathNode } from "markdown-codec/html";
import temml from "temml";
import { faultOf, faultOfMessage } from "./formula-fault.ts";
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
  if (latex.length > maxLength) {
    return faultOf("too_long", `The formula is longer than ${maxLength} characters.`, { limit: maxLength });
  }
  const [command] = definition.exec(latex) ?? [];
  if (command !== undefined) {
    return faultOf("definition", `A formula here cannot define commands, as ${command} does.`, { command });
  }
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
    return faultOfError(error);
  }
}

/** Temml says what it met and where; further lines repeat the source. Anything else is a defect of Temml, or too deep for it. */
function faultOfError(error: unknown): MathFault {
  if (error instanceof MathTooLarge) return faultOf("too_large", error.message);
  if (!(error instanceof Error) || error.name !== "ParseError")
    return faultOf("unreadable", "The formula cannot be read.");
  const [line = ""] = error.message.trim().split("\n");
  const said = line.replace(/(?<= at end of input): .*$|:\s*[^:]*\u0332.*$|:\s*$/u, "");
  return faultOfMessage(said.slice(0, maxReason).toWellFormed());
}
