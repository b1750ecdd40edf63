export { cleanPasted } from "./clean.ts";
export { codeOf } from "./code-slice.ts";
export { fillCells } from "./fill-cells.ts";
export { freeFootnotes } from "./footnote-labels.ts";
export { pasteMarkdown } from "./paste-markdown.ts";
export { uploadPictures } from "./pictures.ts";
export { isTooLargePaste } from "./too-large.ts";
