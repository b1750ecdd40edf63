/** The part for blocks of code. The first block in a document loads it. */
export { colorCode } from "./code-colors.ts";
export { pressInCode } from "./code-keys.ts";
