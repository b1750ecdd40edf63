export { mapAddresses, type ReplaceAddress } from "./addresses.ts";
export { fromDialect, renameDialect } from "./dialect.ts";
export { diff } from "./diff.ts";
export { append, insertAfterHeading, prepend, replaceSection } from "./edit.ts";
export { CodecError, type CodecErrorCode, type CodecErrorPlace } from "./error.ts";
export { headings } from "./headings.ts";
export { toReadingHtml } from "./html/reading.ts";
export { toHtml } from "./html.ts";
export { KnownBlocks, type KnownOptions } from "./known-blocks.ts";
export { merge } from "./merge.ts";
export { normalize } from "./normalize.ts";
export { outline } from "./outline.ts";
export { parseMarkdown } from "./parse.ts";
export { replaceText, replaceTexts } from "./replace.ts";
export { section } from "./section.ts";
export { serializeMarkdown } from "./serialize.ts";
export { toPlainText } from "./text.ts";
export type {
  Attrs,
  AttrValue,
  Change,
  Dialect,
  DocJSON,
  EmitOptions,
  HeadingEntry,
  HtmlOptions,
  Issue,
  Limits,
  MarkJSON,
  MarkName,
  MergeConflict,
  MergeResult,
  NodeJSON,
  NodeName,
  OutlineEntry,
  ParseOptions,
  Path,
  Replacement,
  SerializeOptions,
  TextOptions,
  ValidateOptions,
  ValidateResult,
} from "./types.ts";
export { isSafeUrl } from "./url.ts";
export { validate } from "./validate.ts";
