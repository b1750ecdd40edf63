import type { MarkSpec, NodeSpec } from "prosemirror-model";
import type { Attrs } from "../types.ts";
import type { HtmlLayer } from "../with-html/layer.ts";

/**
 * An element of HTML. Texts and attributes are escaped, and only harmless tags and attributes are allowed. `0` is the place of the
 * node's content.
 */
export interface HtmlElement {
  readonly tag: string;
  /** Attributes by name; one that is null is left out. An address whose scheme is not allowed is left out, too. */
  readonly attrs?: { readonly [name: string]: string | number | null };
  readonly children?: readonly (HtmlElement | string | 0)[];
}

/** Translates between the attributes of a node and a part of its Markdown. */
export interface Translation<Source> {
  /** The attributes that the source says; undefined where it is not this node, and stays as it is. */
  readonly read: (source: Source) => Attrs | undefined;
  /** The source from which `read` returns these attributes. */
  readonly write: (attrs: Attrs) => Source;
}

/** A node within a line: `open`, at most 1,000 characters, `close`. Both are signs, such as `{{` and `}}`. */
export interface InlineSyntax extends Translation<string> {
  readonly open: string;
  readonly close: string;
  readonly directive?: undefined;
}

/** A block that is one line of at most 1,000 characters, and begins with `line`. */
export interface LineSyntax extends Translation<string> {
  readonly line: string;
  readonly directive?: undefined;
}

/** A block of code whose language is `fence`: the source is the code, at most 100,000 characters. */
export interface FenceSyntax extends Translation<string> {
  readonly fence: string;
  readonly directive?: undefined;
}

/**
 * A block with blocks inside, between `:::directive[label]` and `:::`. The label is plain text of one line without brackets and
 * braces, or null.
 */
export interface DirectiveSyntax extends Translation<string | null> {
  readonly directive: string;
}

/** A node of an integrator. */
export interface NodeDefinition {
  readonly name: string;
  /** `content` only for a directive, made of blocks. Each attribute may have a `default` and `validate`. */
  readonly spec: NodeSpec;
  readonly markdown: InlineSyntax | LineSyntax | FenceSyntax | DirectiveSyntax;
  readonly html: (attrs: Attrs) => HtmlElement;
  /** Its words in plain text, in headings and in search. Default none. A directive has those of its content, too. */
  readonly text?: (attrs: Attrs) => string;
  /** Attributes that the node can have: `createCodec` and the test kit try them. Optional for a node without attributes. */
  readonly examples?: readonly Attrs[];
}

/**
 * A mark: the same sign two or three times, such as `%%`, before and after the text. One with attributes begins with their source,
 * too: `%%{red}text%%`. It is at most 1,000 characters without braces.
 */
export type MarkSyntax = { readonly delimiter: string } & (
  | { readonly read?: undefined; readonly write?: undefined }
  | Translation<string>
);

/** A mark of an integrator. A text has each mark once at most. */
export interface MarkDefinition {
  readonly name: string;
  /** Each attribute may have a `default` and `validate`. */
  readonly spec?: MarkSpec;
  /** `read` and `write` only for a mark with attributes. */
  readonly markdown: MarkSyntax;
  readonly html: MarkHtml | ((attrs: Attrs) => MarkHtml);
  /** Attributes that the mark can have: `createCodec` and the test kit try them. Optional for a mark without attributes. */
  readonly examples?: readonly Attrs[];
}

/** The element around marked text: neither a link nor a picture. */
export type MarkHtml = Omit<HtmlElement, "children">;

/** The nodes and marks that a codec has beside those of this package. */
export interface Definitions {
  readonly nodes?: readonly NodeDefinition[];
  readonly marks?: readonly MarkDefinition[];
  /** `html` of `markdown-codec/with-html`: what Markdown has no syntax for is written as HTML. Without it, it is normalised. */
  readonly html?: HtmlLayer;
}
