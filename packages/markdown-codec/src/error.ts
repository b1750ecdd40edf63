import type { Path } from "./types.ts";

/** Every reason for which this package throws. The set is closed: a new code is a new major version. */
export type CodecErrorCode =
  /** An image whose source is a `data:` URL. */
  | "INLINE_IMAGE"
  /** Blocks nested deeper than `limits.depth`. */
  | "NESTING"
  /** Larger than one of `limits`. */
  | "LIMIT"
  /** The JSON is not a document; `validate` says why without throwing. */
  | "INVALID_DOC"
  /** Strict mode: something has no equivalent on the other side. An edit: it would change more than it names. */
  | "UNSUPPORTED"
  /** A node or a mark for `createCodec` is wrong; `path` says which part of its definition. */
  | "INVALID_DEFINITION"
  /** An edit names a heading that is not there. */
  | "HEADING_NOT_FOUND"
  /** An edit names a text that does not occur exactly once; `count` says how often it does, up to 100. */
  | "TEXT_NOT_FOUND";

/**
 * Where the trouble is: a line of the Markdown (from 1), a path of the JSON, or the number of matches of a text, with the
 * passages where it occurs or that are nearest to it. Of several edits, the index of the one that failed.
 */
export interface CodecErrorPlace {
  readonly line?: number | undefined;
  readonly path?: Path | undefined;
  readonly count?: number | undefined;
  readonly passages?: readonly string[] | undefined;
  readonly edit?: number | undefined;
}

/** The one error class of this package. `code` is for programs, `message` for people. */
export class CodecError extends Error {
  readonly code: CodecErrorCode;
  readonly line: number | undefined;
  readonly path: Path | undefined;
  readonly count: number | undefined;
  readonly passages: readonly string[] | undefined;
  readonly edit: number | undefined;

  constructor(code: CodecErrorCode, message: string, place: CodecErrorPlace = {}) {
    super(message);
    this.name = "CodecError";
    this.code = code;
    this.line = place.line;
    this.path = place.path;
    this.count = place.count;
    this.passages = place.passages;
    this.edit = place.edit;
  }
}
