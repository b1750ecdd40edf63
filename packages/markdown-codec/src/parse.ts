import { CodecError } from "./error.ts";
import type { DocJSON, ParseOptions } from "./types.ts";
export function parseMarkdown(_text: string, _options?: ParseOptions): DocJSON { throw new CodecError("UNSUPPORTED", "in work"); }
