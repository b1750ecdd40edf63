import { CodecError } from "./error.ts";
import type { DocJSON, TextOptions } from "./types.ts";
export function toPlainText(_doc: DocJSON, _options?: TextOptions): string {
  throw new CodecError("UNSUPPORTED", "in work");
}
