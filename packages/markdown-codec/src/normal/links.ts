import { bareAddresses, mayHoldAddress } from "../bare-addresses.ts";
import { isUserAddress, mentionOf } from "../mention.ts";
import type { MarkJSON, NodeJSON } from "../types.ts";
import { hasMark, insertMark, isCode, NO_MARKS, removeMark } from "./marks.ts";
import { atomNode, pushText } from "./nodes.ts";

const marksOf = (node: NodeJSON | undefined): MarkJSON[] => node?.marks ?? NO_MARKS;
const linkOf = (node: NodeJSON | undefined): MarkJSON | undefined => marksOf(node).find(({ type }) => type === "link");

/** Makes links of addresses that stand in the text as they are, and mentions of links to users. */
export function settleLinks(nodes: NodeJSON[]): void {
  let hasAddress = false;
  let hasUser = false;
  for (const node of nodes) {
    if (node.text === undefined) continue;
    hasAddress ||= canHoldAddress(node);
    hasUser ||= node.marks !== undefined && isLinkToUser(node);
  }
  if (hasAddress) linkAddresses(nodes);
  if (hasUser) makeMentions(nodes);
}

function canHoldAddress({ text, marks }: NodeJSON): boolean {
  if (text === undefined || !mayHoldAddress(text)) return false;
  return marks === undefined || !marks.some(({ type }) => type === "link" || type === "code" || type.startsWith("su"));
}

function linkAddresses(nodes: NodeJSON[]): void {
  const given = nodes.splice(0);
  given.forEach((node, index) => {
    const before = given[index - 1];
    const isStart = before === undefined || before.type === "hardBreak" || /[\s(]$/.test(before.text ?? "");
    const found = canHoldAddress(node) ? bareAddresses(node.text ?? "", isStart) : [];
    if (node.type !== "text") nodes.push(node);
    else if (found.length === 0) pushText(node.text ?? "", marksOf(node), nodes, node);
    else pushLinked(node, found, nodes);
  });
}

function pushLinked(node: NodeJSON, found: ReturnType<typeof bareAddresses>, out: NodeJSON[]): void {
  const text = node.text ?? "";
  const marks = marksOf(node);
  let at = 0;
  for (const { start, end, href } of found) {
    pushText(text.slice(at, start), marks, out);
    pushText(text.slice(start, end), insertMark(marks, { type: "link", attrs: { href, title: null } }), out);
    at = end;
  }
  pushText(text.slice(at), marks, out);
}

function isLinkToUser(node: NodeJSON): boolean {
  const [link] = marksOf(node);
  return link?.type === "link" && isUserAddress(link.attrs?.href);
}

function makeMentions(nodes: NodeJSON[]): void {
  const given = [...nodes];
  given.forEach((node, index) => {
    if (continuesLink(node, given[index - 1]) || continuesLink(node, given[index + 1])) return;
    const mention = mentionOfNode(node);
    if (mention) nodes[index] = mention;
  });
}

/** The mention that a text with a link to a user is; undefined for any other node. */
export function mentionOfNode(node: NodeJSON): NodeJSON | undefined {
  const link = linkOf(node);
  if (node.type !== "text" || link === undefined || isCode(node.marks) || link.attrs?.title) return undefined;
  const attrs = mentionOf(link.attrs?.href, node.text ?? "");
  return attrs && atomNode("mention", attrs, removeMark(marksOf(node), "link"));
}

function continuesLink(node: NodeJSON, neighbour: NodeJSON | undefined): boolean {
  const link = linkOf(node);
  return link !== undefined && hasMark(marksOf(neighbour), link);
}
