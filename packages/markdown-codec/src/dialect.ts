import { CodecError } from "./error.ts";
import type { Dialect, NodeJSON } from "./types.ts";
export function renameDialect(_json: NodeJSON, _dialect: Dialect): NodeJSON {
  throw new CodecError("UNSUPPORTED", "in work");
}
export function fromDialect(_json: NodeJSON, _dialect: Dialect): NodeJSON {
  throw new CodecError("UNSUPPORTED", "in work");
}
