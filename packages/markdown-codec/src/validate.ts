import { CodecError } from "./error.ts";
import type { ValidateOptions, ValidateResult } from "./types.ts";
export function validate(_json: unknown, _options?: ValidateOptions): ValidateResult {
  throw new CodecError("UNSUPPORTED", "in work");
}
