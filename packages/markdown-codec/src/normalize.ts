import { CodecError } from "./error.ts";
import type { Change, DocJSON } from "./types.ts";
export function normalize(_doc: DocJSON): { doc: DocJSON; changes: readonly Change[] } { throw new CodecError("UNSUPPORTED", "in work"); }
