import { CodecError } from "../error.ts";
import { NO_MARKS } from "../normal/marks.ts";
import { atomNode, textNode } from "../normal/nodes.ts";
import { cleanLine } from "../normal/text.ts";
import type { Attrs, Change, DocJSON, NodeJSON, Path } from "../types.ts";
import { type Construct, type Constructs, wordsOf } from "./construct.ts";
import { insertMarkers } from "./markers.ts";

/** A document whose constructs are nodes of this package, what was lost on the way, and the way back. */
export interface Unfolded {
  readonly doc: DocJSON;
  readonly changes: readonly Change[];
  /** The path in the document that was given, for one in `doc`. */
  readonly pathOf: (path: Path) => Path;
}

/**
 * Writes the nodes and marks of an integrator as those of this package: raw constructs, blocks of code and directives.
 *
 * @throws CodecError `INVALID_DOC` for attributes that the spec does not accept
 */
export function unfold(doc: DocJSON, constructs: Constructs): Unfolded {
  const unfolder = new Unfolder(constructs);
  const content = unfolder.blocks(doc, []);
  return {
    doc: content === doc.content ? doc : { ...doc, content },
    changes: unfolder.changes,
    pathOf: (path) => unfolder.pathOf(content, path),
  };
}

class Unfolder {
  readonly changes: Change[] = [];
  readonly #constructs: Constructs;
  // For lines of text that have more nodes now: the index that each had.
  readonly #origins = new Map<readonly NodeJSON[], readonly number[]>();

  constructor(constructs: Constructs) {
    this.#constructs = constructs;
  }

  blocks({ content = [] }: NodeJSON, path: Path): NodeJSON[] {
    const blocks = content.map((node, index) => this.#block(node, [...path, "content", index]));
    return blocks.every((node, index) => node === content[index]) ? content : blocks;
  }

  #block(node: NodeJSON, path: Path): NodeJSON {
    const construct = this.#constructs.byName.get(node.type);
    if (construct && construct.form !== "inline") return this.#construct(node, construct, path);
    if (node.content === undefined) return node;
    const isText = node.type === "paragraph" || node.type === "heading";
    const content = isText ? this.#line(node.content, path) : this.blocks(node, path);
    return content === node.content ? node : { ...node, content };
  }

  #construct(node: NodeJSON, construct: Construct, path: Path): NodeJSON {
    const { name, form, open } = construct;
    const attrs = this.#attrsOf(node, construct, path);
    const source = construct.sourceOf(attrs);
    if (form === "directive") return this.#directive(node, construct, source, path);
    if (typeof source !== "string") {
      this.#changed(path, `a ${name} that Markdown cannot hold became text`);
      return paragraphOf(wordsOf(construct, attrs));
    }
    if (form === "line") return { type: "rawBlock", attrs: { kind: name, source: open + source, tight: false } };
    const code = { type: "codeBlock", attrs: { language: open } };
    return source === "" ? code : { ...code, content: [textNode(source)] };
  }

  #directive(node: NodeJSON, { name, open }: Construct, source: string | null | undefined, path: Path): NodeJSON {
    if (source === undefined) this.#changed(path, `a ${name} that Markdown cannot hold became a callout`);
    const attrs = { kind: open, title: source ?? null, folded: null, fence: source === undefined ? null : "loose" };
    return { type: "callout", attrs, content: this.blocks(node, path) };
  }

  #line(given: NodeJSON[], path: Path): NodeJSON[] {
    const { byName, marks } = this.#constructs;
    const nodes = given.map((node, index) => {
      const construct = byName.get(node.type);
      return construct?.form === "inline" ? this.#inline(node, construct, [...path, "content", index]) : node;
    });
    nodes.forEach((node, index) => {
      this.#reportMarks(node, [...path, "content", index]);
    });
    const { content, origins } = insertMarkers(nodes, marks);
    if (content.length !== given.length) this.#origins.set(content, origins);
    return content.length === given.length && content.every((node, index) => node === given[index]) ? given : content;
  }

  #reportMarks({ marks = NO_MARKS }: NodeJSON, path: Path): void {
    for (const { type, attrs = {} } of marks) {
      const mark = this.#constructs.marks.find(({ name }) => name === type);
      if (mark === undefined) continue;
      if (mark.openingOf(attrs) === undefined) this.#changed(path, `a ${type} that Markdown cannot hold was left out`);
      else this.#reportUnknown(attrs, mark, path);
    }
  }

  #reportUnknown(attrs: Attrs, { name, rules }: Pick<Construct, "name" | "rules">, path: Path): void {
    for (const [key, value] of Object.entries(attrs)) {
      if (rules[key] === undefined && value !== null)
        this.#changed(path, `the attribute ${key} of a ${name} was left out`);
    }
  }

  #inline(node: NodeJSON, construct: Construct, path: Path): NodeJSON {
    const { name, open, close } = construct;
    const attrs = this.#attrsOf(node, construct, path);
    const source = construct.sourceOf(attrs);
    const marks = node.marks ?? NO_MARKS;
    if (typeof source === "string") return atomNode("rawInline", { kind: name, source: open + source + close }, marks);
    this.#changed(path, `a ${name} that Markdown cannot hold became text`);
    return textNode(wordsOf(construct, attrs), marks);
  }

  #attrsOf(node: NodeJSON, { name, rules }: Construct, path: Path): Attrs {
    const attrs: Attrs = {};
    for (const [key, rule] of Object.entries(rules)) {
      const value = node.attrs?.[key];
      const fallback = rule.default;
      if (value !== undefined && rule.test(value)) attrs[key] = value;
      else if (fallback === undefined)
        throw new CodecError("INVALID_DOC", `The ${key} of a ${name} has to be ${rule.expected}.`, { path });
      else {
        if (value !== undefined) this.#changed(path, `the attribute ${key} of a ${name} was cleaned`);
        attrs[key] = fallback;
      }
    }
    this.#reportUnknown(node.attrs ?? {}, { name, rules }, path);
    return attrs;
  }

  #changed(path: Path, message: string): void {
    this.changes.push({ path, message });
  }

  /** The path that a place in the unfolded document had. */
  pathOf(root: readonly NodeJSON[], path: Path): Path {
    let nodes: readonly NodeJSON[] = root;
    const out: (string | number)[] = [];
    for (const step of path) {
      if (typeof step !== "number") out.push(step);
      else {
        out.push(this.#origins.get(nodes)?.[step] ?? step);
        nodes = nodes[step]?.content ?? [];
      }
    }
    return out;
  }
}

function paragraphOf(words: string): NodeJSON {
  const text = cleanLine(words);
  return text === "" ? { type: "paragraph" } : { type: "paragraph", content: [textNode(text)] };
}
