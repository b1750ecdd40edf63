import { foldLabel } from "../label.ts";
import type { DocJSON, NodeJSON } from "../types.ts";

const NOT_IN_SLUG = /[^\p{L}\p{M}\p{N}\p{Pc} -]/gu;

const idOf = (label: unknown): string => foldLabel(String(label)).toLowerCase().toWellFormed();

/** The ids of one page: no two elements share one, whatever the document says. */
export class PageIds {
  readonly #taken = new Set<string>();
  // The ids that headings have of their own: no other element takes them.
  readonly #explicit = new Set<string>();
  readonly #counts = new Map<string, number>();
  // The labels that a definition, and that a reference has taken already.
  readonly #defined = new Set<string>();
  readonly #referred = new Set<string>();

  constructor(doc: DocJSON) {
    this.#reserve(doc);
  }

  #reserve(node: NodeJSON): void {
    const { type, attrs } = node;
    if (type === "heading" && typeof attrs?.id === "string") this.#explicit.add(attrs.id);
    if (type === "footnoteDefinition") {
      this.#taken.add(`fn-${idOf(attrs?.label)}`);
      this.#taken.add(`fnref-${idOf(attrs?.label)}`);
    }
    for (const child of node.content ?? []) this.#reserve(child);
  }

  /** The id of a heading that has one of its own: this one, or one with a number where another heading has it. */
  heading(id: string): string {
    return this.#taken.has(id) ? this.#numbered(id) : this.#take(id);
  }

  /** An id for a heading that has none: its words, as GitHub makes them. */
  slug(text: string): string {
    const slug = text.toLowerCase().replace(NOT_IN_SLUG, "").trim().replaceAll(" ", "-") || "section";
    return this.#taken.has(slug) || this.#explicit.has(slug) ? this.#numbered(slug) : this.#take(slug);
  }

  /** The address of the footnote of this label. */
  footnoteAddress(label: unknown): string {
    return `#fn-${encodeURIComponent(idOf(label))}`;
  }

  /** The address of the first reference to the footnote of this label. */
  referenceAddress(label: unknown): string {
    return `#fnref-${encodeURIComponent(idOf(label))}`;
  }

  footnote(label: unknown): string {
    return this.#firstOrNumbered(this.#defined, "fn-", idOf(label));
  }

  reference(label: unknown): string {
    return this.#firstOrNumbered(this.#referred, "fnref-", idOf(label));
  }

  #firstOrNumbered(seen: Set<string>, prefix: string, label: string): string {
    const id = prefix + label;
    if (seen.has(label)) return this.#numbered(id);
    seen.add(label);
    return this.#take(id);
  }

  #take(id: string): string {
    this.#taken.add(id);
    return id;
  }

  #numbered(id: string): string {
    let number = this.#counts.get(id) ?? 2;
    while (this.#taken.has(`${id}-${number}`) || this.#explicit.has(`${id}-${number}`)) number++;
    this.#counts.set(id, number + 1);
    return this.#take(`${id}-${number}`);
  }
}
