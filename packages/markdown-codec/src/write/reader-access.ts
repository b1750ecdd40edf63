import type { Labels } from "../label.ts";
import type { RawSyntax } from "../normal/report.ts";
import type { NodeJSON } from "../types.ts";
import type { ReadSigns } from "./escape.ts";

/** Where a line of text stands: paragraphs have several lines, the others one. */
export type InlineKind = "paragraph" | "heading" | "cell";

/** True where the lines, read as the block that they are to be, give these nodes. */
export type ReadsAs = (
  lines: readonly string[],
  kind: InlineKind,
  nodes: readonly NodeJSON[],
  labels: Labels,
) => boolean;

/** The access that a writer has to the reader of what it writes. */
export interface ReaderAccess extends ReadSigns {
  /** Absent where no reader is loaded: a line that is not certain is then written in a form that is. */
  readonly readsAs?: ReadsAs;
  readonly raw: RawSyntax;
}
