import { CodecError } from "./error.ts";
import type { DocJSON, SerializeOptions } from "./types.ts";
export function serializeMarkdown(_doc: DocJSON, _options?: SerializeOptions): string { throw new CodecError("UNSUPPORTED", "in work"); }
