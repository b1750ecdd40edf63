import type { MathFault } from "markdown-codec/html";

/** Every reason why a formula is not shown. A page can say it in other words, with the values that stand beside the code. */
export const formulaFaultCodes = [
  "too_long",
  "too_large",
  "too_many_formulas",
  "too_many_expansions",
  "definition",
  "not_trusted",
  "unknown_command",
  "unknown_environment",
  "unfinished",
  "unexpected",
  "two_scripts",
  "no_argument",
  "wrong_place",
  "wrong_value",
  "other",
  "unreadable",
] as const;

export type FormulaFaultCode = (typeof formulaFaultCodes)[number];

/** Returns the fault for a code, with the reason in English. */
export const faultOf = (code: FormulaFaultCode, fault: string, values: MathFault["values"] = {}): MathFault => ({
  fault,
  code,
  values,
});

/** A message of Temml: its beginning, the code for it, and the name of the part that the pattern takes out. */
const known: readonly (readonly [pattern: RegExp, code: FormulaFaultCode, name?: string])[] = [
  [/^(?:Unsupported function name|Undefined control sequence): (.+)/, "unknown_command", "command"],
  [/^No such environment: (.+)/, "unknown_environment", "name"],
  [/^Function "(.+)" is not trusted/, "not_trusted", "command"],
  [/^Too many expansions/, "too_many_expansions"],
  [/^Expected .*got '(.+)'$/, "unexpected", "found"],
  [/^Extra (})$/, "unexpected", "found"],
  [/^Double (?:superscript|subscript)/, "two_scripts"],
  [/^Expected group (?:after|as) '?(.+?)'?$/, "no_argument", "command"],
  [/^Can't use function '(.+)' in (?:text|math) mode/, "wrong_place", "command"],
  [/^Invalid [\w ]+: '(.+)'/, "wrong_value", "value"],
];

/** Returns the fault for what Temml says, which it says of a place in the source or of its end. */
export function faultOfMessage(message: string): MathFault {
  if (/^Unexpected end of input|^Expected .* at end of input$/.test(message)) return faultOf("unfinished", message);
  const [, said = message, place] = /^(.*?)(?: at position (\d+)| at end of input)?$/s.exec(message) ?? [];
  const position = place === undefined ? {} : { position: Number(place) };
  for (const [pattern, code, name] of known) {
    const [whole, part] = pattern.exec(said) ?? [];
    if (whole === undefined) continue;
    return faultOf(code, message, { ...position, ...(name !== undefined && part !== undefined && { [name]: part }) });
  }
  return faultOf("other", message, { message });
}
