import { CodecError } from "./error.ts";
import type { DocJSON, OutlineEntry } from "./types.ts";
export function outline(_doc: DocJSON): readonly OutlineEntry[] {
  throw new CodecError("UNSUPPORTED", "in work");
}
