import { foldLabel } from "../label.ts";
import type { DocJSON, NodeJSON } from "../types.ts";

const NOT_IN_SLUG = /[^\p{L}\p{M}\p{N}\p{Pc} -]/gu;

/** What a footnote has: itself, and references to it. */
type Part = "fn" | "fnref";

const idOf = (part: Part, label: unknown): string => `${part}-${foldLabel(String(label)).toLowerCase().toWellFormed()}`;

/** The ids of one page: no two elements share one, whatever the document says. */
export class PageIds {
  readonly #taken = new Set<string>();
  // The ids that headings have of their own: no other element takes them.
  readonly #explicit = new Set<string>();
  readonly #counts = new Map<string, number>();
  // The ids of footnotes, and of references to them, that an element has taken already.
  readonly #used = new Set<string>();

  constructor(doc: DocJSON) {
    this.#reserve(doc);
  }

  #reserve(node: NodeJSON): void {
    const { type, attrs } = node;
    if (type === "heading" && typeof attrs?.id === "string") this.#explicit.add(attrs.id);
    if (type === "footnoteDefinition") {
      this.#taken.add(idOf("fn", attrs?.label));
      this.#taken.add(idOf("fnref", attrs?.label));
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

  /** The address of the footnote of this label, or of the first reference to it. */
  address(part: Part, label: unknown): string {
    return `#${encodeURIComponent(idOf(part, label))}`;
  }

  /** An id for the footnote of this label, or for the next reference to it. */
  labelled(part: Part, label: unknown): string {
    const id = idOf(part, label);
    if (this.#used.has(id)) return this.#numbered(id);
    this.#used.add(id);
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
