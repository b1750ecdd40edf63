/** A value that an attribute of a node or of a mark may have. */
export type AttrValue = string | number | boolean | null | readonly number[];

/** The attributes of a node or of a mark, by name. */
export type Attrs = { [name: string]: AttrValue };

/** The marks that text can carry, in rank order: the order in which they are stored. */
export type MarkName =
  | "link"
  | "bold"
  | "italic"
  | "strike"
  | "underline"
  | "highlight"
  | "subscript"
  | "superscript"
  | "code";

/** The kinds of node, with the names that tiptap uses. */
export type NodeName =
  | "doc"
  | "paragraph"
  | "heading"
  | "blockquote"
  | "bulletList"
  | "orderedList"
  | "listItem"
  | "taskList"
  | "taskItem"
  | "codeBlock"
  | "horizontalRule"
  | "table"
  | "tableRow"
  | "tableHeader"
  | "tableCell"
  | "callout"
  | "details"
  | "blockMath"
  | "rawBlock"
  | "footnoteDefinition"
  | "footnoteReference"
  | "hardBreak"
  | "image"
  | "inlineMath"
  | "mention"
  | "wikiLink"
  | "rawInline"
  | "text";

/** A mark as JSON. Only `link` has attributes: `href`, and `title` (a string or null). */
export interface MarkJSON {
  type: string;
  attrs?: Attrs;
}

/**
 * A node as JSON, in the shape that ProseMirror and tiptap load (`Node.fromJSON`, `setContent`). Nodes can share parts with
 * each other and with the document that they were made from: copy a part before you change it.
 */
export interface NodeJSON {
  type: string;
  attrs?: Attrs;
  content?: NodeJSON[];
  marks?: MarkJSON[];
  text?: string;
}

/** A whole document: `(block | footnoteDefinition)+`. */
export interface DocJSON extends NodeJSON {
  type: "doc";
  content: NodeJSON[];
}

/** Where something lies in the JSON: `["content", 3, "attrs", "href"]`. */
export type Path = readonly (string | number)[];

/** Limits on the work of one call. Every limit throws `LIMIT` (`depth`: `NESTING`) or becomes an issue. */
export interface Limits {
  /** Size of the Markdown in bytes of UTF-8. Default 10,000,000. */
  readonly bytes: number;
  /** Levels of lists (a block quote counts as half a level). Default 100, at most 250. */
  readonly depth: number;
  /** Number of nodes of a document. Default 1,000,000. */
  readonly nodes: number;
  /** Bytes that link references may add over their source. Default 100,000, or the size of the text if that is more. */
  readonly refExpansion: number;
}

/** Options of reading. */
export interface ParseOptions {
  readonly limits?: Partial<Limits>;
  /** Throw `UNSUPPORTED` where a part of the text can only be kept as it is (a row with more cells than columns). */
  readonly strict?: boolean;
  /**
   * Read `これは**「重要」**です` as bold, as the published amendments "markdown-cjk-friendly" do. Default false: as
   * CommonMark says, the punctuation keeps the asterisks from being markup.
   */
  readonly cjkFriendly?: boolean;
}

/** The choices of spelling that a writer has. */
export interface EmitOptions {
  /** `<u>x</u>` (default), `<ins>x</ins>` or `++x++`. */
  readonly underline?: "u" | "ins" | "++";
  /** `~x~` and `^x^` (default), or `<sub>x</sub>` and `<sup>x</sup>`, for readers that take `~x~` for strikethrough. */
  readonly subSup?: "markdown" | "html";
  /** The first choice of bullet. Default `-`. */
  readonly bullet?: "-" | "*" | "+";
}

/** Options of writing. */
export interface SerializeOptions {
  readonly limits?: Partial<Limits>;
  /** Throw `UNSUPPORTED` where the document has to be normalised, instead of normalising it. */
  readonly strict?: boolean;
  readonly emit?: EmitOptions;
}

/** Options of `validate`. */
export interface ValidateOptions {
  readonly limits?: Partial<Limits>;
  /** Unknown attributes are issues too, instead of being left out. */
  readonly strict?: boolean;
}

/** A change by `normalize`, and its place (a path in the document that was passed). */
export interface Change {
  readonly path: Path;
  readonly message: string;
}

/** A fault of a JSON value, and its place. */
export interface Issue {
  readonly code: "INVALID_DOC" | "INLINE_IMAGE" | "NESTING" | "LIMIT";
  readonly path: Path;
  readonly message: string;
}

/** The answer of `validate`: the document with its attributes complete, or every issue found (at most 100). */
export type ValidateResult =
  | { readonly ok: true; readonly doc: DocJSON }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/** A heading of a document. `path` holds the child indexes that lead to it. */
export interface OutlineEntry {
  readonly level: number;
  readonly id: string | null;
  readonly text: string;
  readonly path: readonly number[];
}

/** A heading with its address (`#anchor`) in the page. */
export interface HeadingEntry {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
  readonly repeated: boolean;
}

/** An element of MathML, as data. */
export interface MathNode {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string };
  readonly children: readonly (MathNode | string)[];
}

/**
 * The reason why a formula cannot be shown, in words. HTML has the code and the values beside the words, so that a page can say the
 * same in other ones.
 */
export interface MathFault {
  readonly fault: string;
  /** Small letters and underscores. */
  readonly code?: string;
  readonly values?: { readonly [name: string]: string | number };
}

/** Turns LaTeX into MathML: `display` is true for a formula on lines of its own. */
export type MathReader = (latex: string, display: boolean) => MathNode | MathFault;

/** Options of HTML output. */
export interface HtmlOptions {
  /** Schemes allowed in links beside the built-in list, without the colon. Never `javascript`, `vbscript`, `data`, `file`. */
  readonly schemes?: readonly string[];
  /** Headings without an id of their own get one, made of their words as GitHub does. Default false. */
  readonly headingIds?: boolean;
  /**
   * Turns LaTeX into MathML. Only elements and attributes of MathML that load nothing come through, and text is escaped, whatever
   * it returns. Without it, formulas are shown as their source.
   */
  readonly math?: MathReader;
}

/** Options of plain text output. */
export interface TextOptions {
  /** The text between blocks. Default `"\n"`. */
  readonly separator?: string;
}

/** A text that occurs once in a document, and the Markdown that comes in its place. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

/** A part of a document that both sides changed: its versions. A side that removed it has null. */
export interface MergeConflict {
  /** The child indexes that lead to the version that comes first in the merged document. */
  readonly path: readonly number[];
  readonly base: NodeJSON;
  readonly mine: NodeJSON | null;
  readonly theirs: NodeJSON | null;
}

/** The result of `merge`, with all text of both sides, and the places where the versions stand one after the other. */
export interface MergeResult {
  readonly doc: DocJSON;
  readonly conflicts: readonly MergeConflict[];
}

/** The families of editors whose names `renameDialect` knows. Ours are tiptap's. */
export type Dialect = "prosemirror" | "tiptap" | "milkdown";
