import { CodecError } from "./error.ts";
import type { DocJSON } from "./types.ts";
export function diff(_before: DocJSON | string, _after: DocJSON | string): string {
  throw new CodecError("UNSUPPORTED", "in work");
}
