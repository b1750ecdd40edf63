import type { AttributeRule } from "../attributes.ts";
import type { DocJSON, Limits, NodeJSON } from "../types.ts";
import { fold } from "./fold.ts";
import { isRichTable } from "./table.ts";
import { isAlignment, isSize } from "./tags.ts";
import { type Unfolded, unfold } from "./unfold.ts";

/** Everything that a codec needs to write as HTML what Markdown has no syntax for, and to read it back. */
export interface HtmlLayer {
  /** The document with nodes where HTML says them. @throws CodecError `NESTING` */
  readonly fold: (doc: DocJSON, limits: Limits) => DocJSON;
  /** The document with HTML in raw constructs. */
  readonly unfold: (doc: DocJSON) => Unfolded;
  /** True for a node that is many raw constructs when unfolded, and whose parts cannot be merged one by one. */
  readonly isWhole: (node: NodeJSON) => boolean;
  /** The attributes that nodes have beside those of the main entry. */
  readonly attributes: { readonly [type: string]: { readonly [name: string]: AttributeRule } };
}

const alignment: AttributeRule = {
  default: null,
  test: (value) => value === null || isAlignment(value),
  expected: "left, center, right, justify or null",
};
const size: AttributeRule = {
  default: null,
  test: (value) => value === null || isSize(value),
  expected: "a number of pixels, a share such as 50%, or null",
};

/** For `createCodec({ nodes, marks, html })`: the tables, alignments and sizes of images that this entry writes as HTML. */
export const html: HtmlLayer = {
  fold,
  unfold,
  isWhole: isRichTable,
  attributes: {
    paragraph: { textAlign: alignment },
    heading: { textAlign: alignment },
    image: { width: size, height: size },
  },
};
