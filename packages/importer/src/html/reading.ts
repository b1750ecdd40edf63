import type { NodeJSON } from "markdown-codec";
import type { Element, HtmlParent } from "./parse.ts";

/** Reads what is below an element into blocks. */
export type ReadBlocks = (parent: HtmlParent) => NodeJSON[];

/** The settings for reading HTML. */
export type HtmlReading = {
  /** Returns blocks for an element that one product writes; null for an element that is read as HTML. */
  readonly macro: (element: Element, read: ReadBlocks) => NodeJSON[] | null;
  /** Called with everything that a document cannot show. */
  readonly onLeftOut: (what: string) => void;
};
