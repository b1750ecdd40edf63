import "../src/client/style/main.css";
import { BlockGroups } from "../src/client/editor/block-groups.ts";

/** A change of a text: blocks that are added, removed, moved or turned into others, at places from 0 to 1. */
export type Change = {
  readonly kind: "add" | "remove" | "move" | "turn" | "replace";
  readonly at: number;
  readonly to: number;
  readonly count: number;
  readonly tag: "p" | "h2" | "hr" | "ul";
  /** Whether the groups may be parted and joined right after it. */
  readonly isEvened: boolean;
};

/** Changes a text that is drawn in groups; returns what is wrong after one of the changes. */
export function faultsAfter(changes: readonly Change[], length: number): string[] {
  const host = document.createElement("div");
  host.className = "prose editor";
  host.append(...blocksOf("p", length));
  document.body.replaceChildren(host);
  document.body.dataset.all = "";
  const groups = new BlockGroups(host);
  const faults = changes.flatMap((change, index) => {
    apply(host, change);
    groups.settle(change.isEvened);
    if (change.isEvened) groups.even();
    groups.show([host.childNodes[placeIn(host, change.to)] ?? null]);
    const place = `change ${index}, ${host.childNodes.length} blocks: `;
    return faultsOf(host, groups, change.isEvened).map((fault) => `${place}${fault}`);
  });
  groups.end();
  return faults;
}

const blocksOf = (tag: string, count: number): HTMLElement[] =>
  Array.from({ length: count }, () => {
    const block = document.createElement(tag);
    if (tag !== "hr") block.textContent = "words";
    return block;
  });

const placeIn = (host: HTMLElement, share: number): number => Math.floor(share * host.childNodes.length);

function apply(host: HTMLElement, { kind, at, to, count, tag }: Change): void {
  const start = placeIn(host, at);
  const chosen = [...host.childNodes].slice(start, start + count);
  if (kind === "replace") host.replaceChildren(...blocksOf(tag, count));
  if (kind === "remove") for (const node of chosen) node.remove();
  if (kind === "turn") for (const node of chosen) node.replaceWith(...blocksOf(tag, 1));
  const added = kind === "add" ? blocksOf(tag, count) : kind === "move" ? chosen : [];
  const before = host.childNodes[placeIn(host, to)] ?? null;
  for (const node of added) {
    if (before === null || !added.includes(before as HTMLElement)) host.insertBefore(node, before);
  }
}

/** The most blocks of a group that may be parted. */
const most = 64;

function faultsOf(host: HTMLElement, groups: BlockGroups, isEvened: boolean): string[] {
  const faults: string[] = [];
  const boxes = [...host.childNodes].map((node) => groups.boxOf(node));
  let end = Number.NEGATIVE_INFINITY;
  for (const [index, block] of [...host.children].entries()) {
    const { top, bottom } = block.getBoundingClientRect();
    if (boxes[index] === undefined || block.getClientRects().length === 0) faults.push(`block ${index} is not drawn`);
    if (top < end - 0.5) faults.push(`block ${index} is not below the one before`);
    end = bottom;
    if (isEvened && index > 0 && boxes[index] !== boxes[index - 1] && !block.matches("p, ul")) {
      faults.push(`block ${index} begins a group`);
    }
  }
  const sizes = Map.groupBy(boxes, (box) => box);
  const runs = boxes.filter((box, index) => box !== boxes[index - 1]).length;
  if (runs !== sizes.size) faults.push("a group has blocks at several places");
  for (const [box, { length }] of isEvened ? sizes : []) {
    const own = [...host.children].filter((_, index) => boxes[index] === box);
    if (length > most && own.slice(most / 2).some((block) => block.matches("p, ul")))
      faults.push(`${length} in a group`);
  }
  return faults;
}
