export { fromDialect, renameDialect } from "./dialect.ts";
export { diff } from "./diff.ts";
export { append, insertAfterHeading, prepend, replaceSection, replaceText } from "./edit.ts";
export { CodecError, type CodecErrorCode, type CodecErrorPlace } from "./error.ts";
export { toHtml } from "./html.ts";
export { normalize } from "./normalize.ts";
export { outline } from "./outline.ts";
export { parseMarkdown } from "./parse.ts";
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
  HtmlOptions,
  Issue,
  Limits,
  MarkJSON,
  MarkName,
  NodeJSON,
  NodeName,
  OutlineEntry,
  ParseOptions,
  Path,
  SerializeOptions,
  TextOptions,
  ValidateOptions,
  ValidateResult,
} from "./types.ts";
export { validate } from "./validate.ts";
