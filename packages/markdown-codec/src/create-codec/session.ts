import type { Schema } from "prosemirror-model";
import { CodecError } from "../error.ts";
import { withDefaults } from "../limits.ts";
import { mergeBy } from "../merge.ts";
import { codeOf, textNode } from "../normal/nodes.ts";
import { normalize } from "../normalize.ts";
import { parseMarkdown } from "../parse.ts";
import { serializeMarkdown } from "../serialize.ts";
import { requireTree } from "../shape.ts";
import { type Extension, withExtension } from "../syntax/extension.ts";
import type { Change, DocJSON, Limits, MergeResult, NodeJSON, ParseOptions, SerializeOptions } from "../types.ts";
import type { HtmlLayer } from "../with-html/layer.ts";
import { completeAttrs } from "./attributes.ts";
import { type Constructs, wordsOf } from "./construct.ts";
import { fold, foldNode } from "./fold.ts";
import { type Unfolded, unfold } from "./unfold.ts";

/** Calls the functions of this package with documents that have an integrator's nodes and marks. */
export class Session {
  readonly #constructs: Constructs;
  readonly #extension: Extension;
  readonly #schema: Schema;
  readonly #html: HtmlLayer | undefined;

  constructor(constructs: Constructs, extension: Extension, schema: Schema, html?: HtmlLayer) {
    this.#constructs = constructs;
    this.#extension = extension;
    this.#schema = schema;
    this.#html = html;
  }

  read(text: string, options: ParseOptions = {}): DocJSON {
    const plain = withExtension(this.#extension, () => parseMarkdown(text, options));
    return this.#settled(plain, options.limits);
  }

  normalize(doc: DocJSON): { doc: DocJSON; changes: readonly Change[] } {
    const { doc: once, changes } = this.#normalizeOnce(doc);
    if (!this.#hasOwnMarks(doc)) return { doc: once, changes };
    // Text on both sides of a sign that is gone can be one address, or the text of one link, or nothing.
    const twice = this.#normalizeOnce(once);
    return { doc: twice.doc, changes: [...changes, ...twice.changes] };
  }

  write(doc: DocJSON, options: SerializeOptions = {}): string {
    if (this.#hasOwnMarks(doc) && !options.strict) {
      const { doc: unfolded } = this.#unfold(this.normalize(doc).doc);
      return withExtension(this.#extension, () => serializeMarkdown(unfolded, options));
    }
    const unfolded = this.#unfold(doc);
    const [change] = unfolded.changes;
    if (options.strict && change) throw new CodecError("UNSUPPORTED", `In strict mode: ${change.message}.`, change);
    return this.#run(unfolded, () => serializeMarkdown(unfolded.doc, options));
  }

  readonly edit = (doc: DocJSON, run: (plain: DocJSON) => DocJSON): DocJSON => {
    requireTree(doc);
    const unfolded = this.#unfold(doc);
    return this.#settled(this.#run(unfolded, () => run(unfolded.doc)));
  };

  readonly fragment = (fragment: DocJSON | string): DocJSON | string => {
    if (typeof fragment === "string") return fragment;
    requireTree(fragment);
    return this.#unfold(fragment).doc;
  };

  merge(base: DocJSON, mine: DocJSON, theirs: DocJSON): MergeResult {
    const plain = (doc: DocJSON): DocJSON => {
      requireTree(doc);
      return unfold(doc, this.#constructs).doc;
    };
    // What HTML says stays one node: as lines of tags, both versions of a table would be mixed.
    const rules = { normalize: (doc: DocJSON) => this.#normalTree(doc), isWhole: this.#html?.isWhole ?? (() => false) };
    const { doc, conflicts } = withExtension(this.#extension, () =>
      mergeBy(rules, plain(base), plain(mine), plain(theirs)),
    );
    const folded = (node: NodeJSON | null): NodeJSON | null => node && foldNode(node, this.#constructs, this.#schema);
    return {
      doc: this.#withOwn(doc),
      conflicts: conflicts.map((conflict) => ({
        path: conflict.path,
        base: foldNode(conflict.base, this.#constructs, this.#schema),
        mine: folded(conflict.mine),
        theirs: folded(conflict.theirs),
      })),
    };
  }

  /** The document with the words of an integrator's nodes in their place. */
  inWords(doc: DocJSON): DocJSON {
    requireTree(doc);
    return { ...doc, content: this.#wordsOf(doc.content) };
  }

  #wordsOf(nodes: readonly NodeJSON[]): NodeJSON[] {
    return nodes.map((node) => {
      const construct = this.#constructs.byName.get(node.type);
      const content = node.content && this.#wordsOf(node.content);
      if (construct === undefined) return content ? { ...node, content } : node;
      const words = wordsOf(construct, completeAttrs(construct.rules, node.attrs) ?? {});
      if (construct.form === "inline") return textNode(words);
      if (construct.form === "directive") {
        return { type: "callout", attrs: { title: words }, ...(content ? { content } : undefined) };
      }
      return codeOf(words);
    });
  }

  #normalizeOnce(doc: DocJSON): { doc: DocJSON; changes: readonly Change[] } {
    const unfolded = this.#unfold(doc);
    const normal = this.#run(unfolded, () => normalize(unfolded.doc));
    const others = normal.changes.map((change) => ({ ...change, path: unfolded.pathOf(change.path) }));
    return { doc: this.#fold(normal.doc), changes: [...unfolded.changes, ...others] };
  }

  // The normal form of a document without an integrator's nodes and marks.
  #normalTree(doc: DocJSON): DocJSON {
    if (this.#html === undefined) return normalize(doc).doc;
    const unfolded = this.#html.unfold(doc);
    return this.#foldHtml(this.#run(unfolded, () => normalize(unfolded.doc).doc));
  }

  #settled(plain: DocJSON, limits?: Partial<Limits>): DocJSON {
    return this.#withOwn(this.#foldHtml(plain, limits));
  }

  #withOwn(tree: DocJSON): DocJSON {
    const doc = fold(tree, this.#constructs, this.#schema);
    return this.#hasOwnMarks(tree) ? this.normalize(doc).doc : doc;
  }

  #fold(plain: DocJSON): DocJSON {
    return fold(this.#foldHtml(plain), this.#constructs, this.#schema);
  }

  #foldHtml(plain: DocJSON, limits?: Partial<Limits>): DocJSON {
    return this.#html?.fold(plain, withDefaults(limits)) ?? plain;
  }

  // An integrator's constructs first: in a cell they are then blocks that HTML can hold.
  #unfold(doc: DocJSON): Unfolded {
    const own = unfold(doc, this.#constructs);
    if (this.#html === undefined) return own;
    const { doc: plain, changes, pathOf } = this.#html.unfold(own.doc);
    const others = changes.map((change) => ({ ...change, path: own.pathOf(change.path) }));
    return { doc: plain, changes: [...own.changes, ...others], pathOf: (path) => own.pathOf(pathOf(path)) };
  }

  // Errors name places of the unfolded document: nobody else has seen that.
  #run<Result>({ pathOf }: Unfolded, run: () => Result): Result {
    try {
      return withExtension(this.#extension, run);
    } catch (error) {
      if (!(error instanceof CodecError) || error.path === undefined) throw error;
      const { code, message, line, count, passages, edit } = error;
      throw new CodecError(code, message, { line, count, passages, edit, path: pathOf(error.path) });
    }
  }

  // True for a document with marks of an integrator, or with the signs that say them.
  #hasOwnMarks(doc: DocJSON): boolean {
    const names = new Set(this.#constructs.marks.map(({ name }) => name));
    const has = ({ type, attrs, marks, content = [] }: NodeJSON): boolean =>
      (type === "rawInline" && names.has(String(attrs?.kind))) ||
      (marks?.some((mark) => names.has(mark.type)) ?? false) ||
      content.some(has);
    return names.size > 0 && has(doc);
  }
}
