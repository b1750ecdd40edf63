import { cleanAttrs } from "../normal/attributes.ts";
import type { Change, DocJSON, NodeJSON, Path } from "../types.ts";
import { canBeTag, isImageLine } from "./place.ts";
import { isRichTable } from "./table.ts";
import {
  ALIGNED_END,
  alignedStart,
  cellEnd,
  cellTag,
  hasSize,
  imageTag,
  isAlignment,
  isShown,
  readCellTag,
} from "./tags.ts";

/** A document whose HTML is in raw constructs, what was lost on the way, and the way back. */
export interface Unfolded {
  readonly doc: DocJSON;
  readonly changes: readonly Change[];
  /** The path in the document that was given, for one in `doc`. */
  readonly pathOf: (path: Path) => Path;
}

/** Writes what only HTML can say as raw constructs: rich tables, aligned text and images with sizes. */
export function unfold(doc: DocJSON): Unfolded {
  const unfolder = new Unfolder();
  const content = unfolder.blocks(doc, []);
  return {
    doc: content === doc.content ? doc : { ...doc, content },
    changes: unfolder.changes,
    pathOf: (path) => unfolder.pathOf(content, path),
  };
}

const raw = (source: string): NodeJSON => ({ type: "rawBlock", attrs: { kind: "html", source, tight: false } });

// An image by itself is a block in HTML. `given` is the block as it was.
function imageLine(block: NodeJSON, given: NodeJSON): NodeJSON {
  const [tag] = block.content ?? [];
  const isLine = given.content?.[0]?.type === "image" && isImageLine(block) && block.attrs === undefined;
  return isLine ? raw(String(tag?.attrs?.source)) : block;
}

class Unfolder {
  readonly changes: Change[] = [];
  readonly #origins = new Map<NodeJSON, Path>();

  /** The children of a node at this path; the same array where none differs. */
  blocks(parent: NodeJSON, path: Path, isRichCell = false): NodeJSON[] {
    const { content = [] } = parent;
    const out = content.flatMap((child, index) => {
      const place = [...path, "content", index];
      const nodes = this.#node(child, place, isRichCell || canBeTag(parent, index));
      // An object that stands at several places counts for the first of them.
      for (const node of nodes) if (!this.#origins.has(node)) this.#origins.set(node, place);
      return nodes;
    });
    return out.length === content.length && out.every((node, index) => node === content[index]) ? content : out;
  }

  /** The path before unfolding that belongs to one after it. */
  pathOf(content: readonly NodeJSON[], path: Path): Path {
    let nodes: readonly NodeJSON[] | undefined = content;
    let origin: Path = [];
    let known = 0;
    for (let at = 0; path[at] === "content" && nodes !== undefined; at += 2) {
      const node: NodeJSON | undefined = nodes[Number(path[at + 1])];
      const found = node && this.#origins.get(node);
      if (found) {
        origin = found;
        known = at + 2;
      }
      nodes = node?.content;
    }
    return [...origin, ...path.slice(known)];
  }

  #node(node: NodeJSON, path: Path, canBeTags: boolean): NodeJSON[] {
    const { type, attrs } = node;
    if (type === "image") return [this.#image(node, path)];
    if (isRichTable(node)) return this.#table(node, path);
    const content = node.content && this.blocks(node, path);
    const inner = content === undefined || content === node.content ? node : { ...node, content };
    if (!canBeTags || (type !== "paragraph" && type !== "heading")) return [inner];
    if (!isAlignment(attrs?.textAlign)) return [imageLine(inner, node)];
    const { textAlign, ...others } = attrs;
    const { attrs: _, ...bare } = inner;
    const plain = Object.keys(others).length > 0 ? { ...bare, attrs: others } : bare;
    return [raw(alignedStart(textAlign)), imageLine(plain, node), raw(ALIGNED_END)];
  }

  #image(image: NodeJSON, path: Path): NodeJSON {
    const { attrs = {}, marks } = image;
    const { width = null, height = null, ...others } = attrs;
    if (!hasSize(attrs) || !isShown(attrs.src)) return image;
    const kept = { ...cleanAttrs("image", others), width, height };
    this.#report(image, { ...image, attrs: kept }, path);
    const source = imageTag(kept);
    const tag: NodeJSON = { type: "rawInline", attrs: { kind: "html", source } };
    return marks === undefined ? tag : { ...tag, marks };
  }

  #table(table: NodeJSON, path: Path): NodeJSON[] {
    this.#report(table, { type: table.type }, path);
    const out: NodeJSON[] = [];
    let tags = "<table>";
    (table.content ?? []).forEach((row, rowIndex) => {
      const rowPath = [...path, "content", rowIndex];
      this.#report(row, { type: row.type }, rowPath);
      tags += `${rowIndex > 0 ? "\n</tr>" : ""}\n<tr>`;
      (row.content ?? []).forEach((cell, index) => {
        const cellPath = [...rowPath, "content", index];
        const tag = cellTag(cell);
        this.#report(cell, readCellTag(tag) ?? { type: cell.type }, cellPath);
        out.push(raw(`${tags}\n${tag}`));
        for (const child of this.blocks(cell, cellPath, true)) out.push(child);
        tags = cellEnd(cell);
      });
    });
    return [...out, raw(`${tags}\n</tr>\n</table>`)];
  }

  // Reports the attributes and marks of a node that say something and are not kept.
  #report({ type, attrs = {}, marks }: NodeJSON, kept: NodeJSON, path: Path): void {
    for (const [name, value] of Object.entries(attrs)) {
      if ((value ?? null) === null || JSON.stringify(value) === JSON.stringify(kept.attrs?.[name])) continue;
      this.changes.push({ path, message: `the attribute ${name} of a ${type} was left out` });
    }
    if (marks?.length && !kept.marks) this.changes.push({ path, message: `the marks of a ${type} were left out` });
  }
}
