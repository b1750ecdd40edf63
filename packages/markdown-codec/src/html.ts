import { CodecError } from "./error.ts";
import type { DocJSON, HtmlOptions } from "./types.ts";
export function toHtml(_doc: DocJSON, _options?: HtmlOptions): string {
  throw new CodecError("UNSUPPORTED", "in work");
}
