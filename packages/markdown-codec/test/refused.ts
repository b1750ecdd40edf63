import { CodecError } from "../src/index.ts";

/** True when a value is refused for a reason that the contract names: a data: image, or depth. */
export function isRefused(error: unknown): error is CodecError {
  return error instanceof CodecError && (error.code === "INLINE_IMAGE" || error.code === "NESTING");
}
