import type { NodeJSON } from "../types.ts";
import { wordsOf } from "../words.ts";

// More words say no more about whether two blocks are versions of one.
const MOST_WORDS = 200;

/** Short names of nodes: two nodes are equal where their names are. Each node is looked at once, however deep it lies. */
export class Keys {
  readonly #numbers = new Map<string, string>();
  readonly #names = new WeakMap<object, string>();
  readonly #words = new WeakMap<NodeJSON, ReadonlySet<string>>();

  of(node: NodeJSON): string {
    const known = this.#names.get(node);
    if (known !== undefined) return known;
    const { content = [], ...own } = node;
    return this.#name(node, `${JSON.stringify(own)} ${content.map((child) => this.of(child)).join(" ")}`);
  }

  /** The name of a part of a line. The parts share the marks of the line, each of which is looked at once, however long. */
  ofPiece(nodes: readonly NodeJSON[]): string {
    return nodes.map(({ marks, ...own }) => `${JSON.stringify(own)} ${marks && this.#ofMarks(marks)}`).join(" ");
  }

  #ofMarks(marks: NonNullable<NodeJSON["marks"]>): string {
    return this.#names.get(marks) ?? this.#name(marks, JSON.stringify(marks));
  }

  #name(part: object, whole: string): string {
    const name = this.#numbers.get(whole) ?? String(this.#numbers.size);
    this.#numbers.set(whole, name);
    this.#names.set(part, name);
    return name;
  }

  /** True for two blocks that share half of their words: the one may have become the other. */
  areSimilar(a: NodeJSON, b: NodeJSON): boolean {
    const one = this.#wordsOf(a);
    const other = this.#wordsOf(b);
    if (one.size === 0 || other.size === 0) return one.size === other.size;
    let shared = 0;
    for (const word of one) if (other.has(word)) shared++;
    return 2 * shared >= Math.max(1, Math.min(one.size, other.size));
  }

  #wordsOf(node: NodeJSON): ReadonlySet<string> {
    const known = this.#words.get(node);
    if (known !== undefined) return known;
    const words = new Set<string>();
    collectWords(node, words);
    this.#words.set(node, words);
    return words;
  }
}

function collectWords(node: NodeJSON, words: Set<string>): void {
  if (words.size >= MOST_WORDS) return;
  const source = node.attrs?.source ?? node.attrs?.src;
  const text = node.text ?? (typeof source === "string" ? source : "");
  for (const word of wordsOf(text.slice(0, 20 * MOST_WORDS))) {
    if (/[\p{L}\p{N}]/u.test(word)) words.add(word.toLowerCase());
    if (words.size >= MOST_WORDS) return;
  }
  for (const child of node.content ?? []) {
    if (words.size >= MOST_WORDS) return;
    collectWords(child, words);
  }
}
