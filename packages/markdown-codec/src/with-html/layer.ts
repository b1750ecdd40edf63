import type { AttributeRule } from "../attributes.ts";
import type { DocJSON, Limits } from "../types.ts";
import { fold } from "./fold.ts";
import { isAlignment, isSize } from "./tags.ts";
import { type Unfolded, unfold } from "./unfold.ts";

/** Everything that a codec needs to write as HTML what Markdown has no syntax for, and to read it back. */
export interface HtmlLayer {
  /** The document with nodes where HTML says them. @throws CodecError `NESTING` */
  readonly fold: (doc: DocJSON, limits: Limits) => DocJSON;
  /** The document with HTML in raw constructs. */
  readonly unfold: (doc: DocJSON) => Unfolded;
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
  attributes: {
    paragraph: { textAlign: alignment },
    heading: { textAlign: alignment },
    image: { width: size, height: size },
  },
};
