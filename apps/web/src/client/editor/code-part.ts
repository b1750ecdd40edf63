/** What blocks of code need beside their text. The first one in a document loads it. */
export { colorCode } from "./code-colors.ts";
export { pressInCode } from "./code-keys.ts";
