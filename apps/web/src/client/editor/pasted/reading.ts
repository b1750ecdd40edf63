export { cleanPasted } from "./clean.ts";
export { codeOf } from "./code-slice.ts";
export { freeFootnotes } from "./footnote-labels.ts";
export { sliceOfMarkdown } from "./markdown-slice.ts";
export { uploadPictures } from "./pictures.ts";
