export { formulaFaultCodes } from "./formula-fault.ts";
export { formulasOfPage } from "./formulas-of-page.ts";
export { readFormula } from "./read-formula.ts";
export { formulaStyle } from "./style.ts";
