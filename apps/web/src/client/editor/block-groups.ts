/** The blocks of a usual group. */
const usual = 32;
/** A group of more blocks is parted where one of them can begin a group. */
const most = 64;
/** A group of fewer blocks is joined with another. */
const fewest = 8;
/** The groups that are kept laid out: those that were shown last. */
const mostShown = 12;
/** The height of a block that is not laid out, until the browser knows it. */
const blockRem = 4;

/** The blocks that a group may begin with: they have no margin above, which would not collapse with that of the block before it. */
const beginnings =
  ":is(p, .table, .callout, pre:not(.raw, .math), :is(ul, ol, blockquote):not(:has(:is(hr, h1, h2, h3, h4, h5, h6):first-child)))";

/** The box of a group is the slot itself. */
type Group = { readonly element: HTMLSlotElement; nodes: ChildNode[] };

/**
 * Draws the blocks of a long text in groups, each in a box of its own, without changing their place in the document: the boxes are in a
 * shadow tree, to whose slots the blocks are assigned. With each key the browser looks at each box on the way to the one that changed;
 * without groups it would look at each block. `editor.css` lays a group out once it is near the window, or shown.
 */
export class BlockGroups {
  readonly #host: HTMLElement;
  readonly #root: ShadowRoot;
  readonly #observer: MutationObserver;
  readonly #groupOf = new WeakMap<Node, Group>();
  /** In the order of the text. */
  readonly #groups: Group[] = [];
  /** Those that have changed and may have too many blocks, or too few. */
  readonly #uneven = new Set<Group>();
  /** Those that are laid out wherever they are, the one that was shown last at the end. */
  readonly #shown = new Set<Group>();

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#root = rootOf(host);
    this.#root.replaceChildren();
    this.#observer = new MutationObserver((records) => this.#follow(records));
    this.#observer.observe(host, { childList: true });
    this.#add(host.childNodes);
    this.even();
  }

  end(): void {
    this.#observer.disconnect();
  }

  /**
   * Draws the blocks that were added, in the groups of those beside them, or leaves that to `even` if it follows. Returns whether there were
   * any.
   */
  settle(isEvenedNext = false): boolean {
    return this.#follow(this.#observer.takeRecords(), isEvenedNext);
  }

  /** Parts the groups that have become too long, and joins those that have become too short. Returns whether any has changed since. */
  even(): boolean {
    const changed = new Set<Group>();
    for (const group of this.#uneven) {
      for (const each of this.#evened(group)) changed.add(each);
    }
    this.#uneven.clear();
    for (const group of changed) assign(group);
    return changed.size > 0;
  }

  /** Lays out the groups around nodes of the text, and those at its ends, at once and for as long as they are among the last. */
  show(nodes: readonly (Node | null)[]): void {
    const shown = new Set([this.#groups[0], this.#groups.at(-1)]);
    for (const node of nodes) {
      const group = node === null ? undefined : this.#groupOf.get(node);
      if (group === undefined) continue;
      const index = this.#groups.indexOf(group);
      for (const each of this.#groups.slice(Math.max(0, index - 1), index + 2)) shown.add(each);
    }
    this.#keep(shown);
  }

  #keep(shown: ReadonlySet<Group | undefined>): void {
    for (const group of shown) {
      if (group === undefined) continue;
      // A change of its parts, even to the same, has its style computed again.
      if (!this.#shown.delete(group)) group.element.part.remove("far");
      this.#shown.add(group);
    }
    for (const group of this.#shown) {
      if (this.#shown.size <= mostShown || shown.has(group)) break;
      this.#shown.delete(group);
      group.element.part.add("far");
    }
  }

  /** Returns the box in which a block of the text is drawn, if it is in one. */
  boxOf(block: Node): Element | undefined {
    return this.#groupOf.get(block)?.element;
  }

  /** Lays out the group at a height in the window, and no other: what is there stays there. */
  showAt(y: number): void {
    const pressed = this.#groups.find(({ element }) => element.getBoundingClientRect().bottom > y);
    if (pressed !== undefined) this.#keep(new Set([pressed]));
  }

  #follow(records: readonly MutationRecord[], isEvenedNext = false): boolean {
    const added: ChildNode[] = [];
    const left = new Set<Group>();
    for (const { addedNodes, removedNodes } of records) {
      for (const node of [...removedNodes, ...addedNodes]) {
        const group = this.#groupOf.get(node);
        if (group !== undefined) left.add(group);
        this.#groupOf.delete(node);
        if (isChildOf(node, this.#host)) added.push(node);
      }
    }
    for (const group of left) {
      group.nodes = group.nodes.filter((each) => this.#groupOf.get(each) === group);
      this.#uneven.add(group);
    }
    this.#add(added);
    if (records.length === 0) return false;
    if (!isEvenedNext) for (const group of this.#uneven) assign(group);
    return true;
  }

  #add(nodes: Iterable<ChildNode>): void {
    for (const node of nodes) {
      if (this.#groupOf.has(node)) continue;
      // Nodes that were added together begin behind one that has a group.
      let first = node;
      while (first.previousSibling !== null && !this.#groupOf.has(first.previousSibling)) first = first.previousSibling;
      const { previousSibling } = first;
      const before = previousSibling === null ? undefined : this.#groupOf.get(previousSibling);
      const group = before ?? this.#groups[0] ?? this.#insert(0);
      const run: ChildNode[] = [];
      for (let each: ChildNode | null = first; each !== null && !this.#groupOf.has(each); each = each.nextSibling) {
        this.#groupOf.set(each, group);
        run.push(each);
      }
      const at = previousSibling === null ? 0 : group.nodes.indexOf(previousSibling) + 1;
      group.nodes = [...group.nodes.slice(0, at), ...run, ...group.nodes.slice(at)];
      this.#uneven.add(group);
    }
  }

  /** Evens a group; returns those that have changed. */
  #evened(group: Group): Group[] {
    const index = this.#groups.indexOf(group);
    if (index < 0) return [];
    const before = this.#groups[index - 1];
    const start = before === undefined ? 0 : group.nodes.findIndex(isBeginning);
    if (before !== undefined && start !== 0) {
      // All of them join the group before, or those that cannot begin one.
      this.#move(group.nodes.slice(0, start < 0 ? undefined : start), group, before);
      return [...this.#evened(before), ...this.#evened(group)];
    }
    if (group.nodes.length > most) return this.#parted(group, index);
    const beside = before ?? this.#groups[1];
    if (group.nodes.length >= fewest || beside === undefined) return [group];
    if (before === undefined) this.#move(beside.nodes, beside, group);
    else this.#move(group.nodes, group, before);
    return this.#evened(before ?? group);
  }

  #parted(group: Group, index: number): Group[] {
    const parts: ChildNode[][] = [[]];
    for (const node of group.nodes) {
      const last = parts.at(-1) ?? [];
      if (last.length >= usual && isBeginning(node)) parts.push([node]);
      else last.push(node);
    }
    const [first = [], ...others] = parts;
    group.nodes = first;
    const added = others.map((nodes, count) => {
      const part = this.#insert(index + 1 + count);
      part.nodes = nodes;
      for (const node of nodes) this.#groupOf.set(node, part);
      return part;
    });
    return [group, ...added];
  }

  #move(nodes: readonly ChildNode[], from: Group, to: Group): void {
    for (const node of nodes) this.#groupOf.set(node, to);
    from.nodes = from.nodes.slice(nodes.length);
    to.nodes = [...to.nodes, ...nodes];
    if (from.nodes.length > 0) return;
    from.element.remove();
    this.#groups.splice(this.#groups.indexOf(from), 1);
    this.#shown.delete(from);
    this.#uneven.delete(from);
  }

  #insert(index: number): Group {
    const element = document.createElement("slot");
    element.part.add("group", "far");
    this.#root.insertBefore(element, this.#groups[index]?.element ?? null);
    const group: Group = { element, nodes: [] };
    this.#groups.splice(index, 0, group);
    return group;
  }
}

const roots = new WeakMap<HTMLElement, ShadowRoot>();

function rootOf(host: HTMLElement): ShadowRoot {
  const root = roots.get(host) ?? host.attachShadow({ mode: "closed", slotAssignment: "manual" });
  roots.set(host, root);
  return root;
}

const isChildOf = (node: Node, parent: Node): node is ChildNode => node.parentNode === parent;

const isBeginning = (node: Node): boolean => node instanceof Element && node.matches(beginnings);

function assign({ element, nodes }: Group): void {
  element.assign(...nodes.filter((node) => node instanceof Element || node instanceof Text));
  element.style.containIntrinsicBlockSize = `auto ${nodes.length * blockRem}rem`;
}

/** Returns whether a text was drawn in groups once. Without them, it shows nothing. */
export const hasGroups = (host: HTMLElement): boolean => roots.has(host);
