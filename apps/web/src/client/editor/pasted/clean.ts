import { readBoxes } from "./boxes.ts";
import { readCode } from "./code.ts";
import { all, beside, blocks, create, isEmpty, rename, unwrap } from "./elements.ts";
import { readLists } from "./lists.ts";
import { markPictures } from "./pictures.ts";
import { moveSpaces, readStyles, removeBoldOfHeadings } from "./styles.ts";
import { readTables } from "./tables.ts";
import { readWord } from "./word.ts";

/**
 * Makes of pasted HTML, in a document that runs and loads nothing, what the schema reads as its writer saw it. The programs
 * from which people copy say much by styles and classes, which the schema does not know.
 */
export function cleanPasted(root: Element): void {
  // What was copied from an editor of ours is exact as it is.
  if (root.closest("[data-pm-slice]") !== null || root.querySelector("[data-pm-slice]") !== null) return;
  removeUnseen(root);
  readWord(root);
  readStyles(root);
  readCode(root);
  readBoxes(root);
  readLists(root);
  readTables(root);
  removeBoldOfHeadings(root);
  moveSpaces(root);
  readSymbols(root);
  readLinks(root);
  readBreaks(root);
}

const unseen =
  "script, style, title, meta, link, template, noscript, iframe, object, embed, button, clipboard-copy, svg, select, textarea, colgroup, [hidden], .sr-only, a.anchor[aria-hidden=true], img[width='1'][height='1'], [data-style*='display:none'], [data-style*='display: none'], [data-style*='mso-hide:all']";

function removeUnseen(root: Element): void {
  for (const element of all(root, unseen)) element.remove();
  const walker = (root.ownerDocument ?? document).createTreeWalker(root, NodeFilter.SHOW_COMMENT);
  const comments: Node[] = [];
  while (walker.nextNode() !== null) comments.push(walker.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
  markPictures(root);
}

const emojiAddress = /\/([\da-f]{4,5}(?:-[\da-f]{4,5})*)(?:@2x)?\.(?:png|gif|svg)(?:\?|$)/i;

/** Slack, GitHub and Google Docs show emoji as pictures. */
function readSymbols(root: Element): void {
  for (const picture of all(root, "img[data-stringify-type=emoji], img.emoji, img.g-emoji")) {
    const codes = emojiAddress.exec(picture.getAttribute("src") ?? "")?.[1]?.split("-");
    const points = codes?.map((code) => Number.parseInt(code, 16)).filter((point) => point <= 0x10ffff) ?? [];
    picture.replaceWith(points.length > 0 ? String.fromCodePoint(...points) : (picture.getAttribute("alt") ?? ""));
  }
}

function readLinks(root: Element): void {
  for (const link of all(root, "a[href^='#'], a[data-stringify-type=mention]")) unwrap(link);
  for (const link of all(root, "a[href^='https://www.google.com/url?']")) {
    const target = new URL(link.getAttribute("href") ?? "").searchParams.get("q");
    if (target !== null && /^https?:/.test(target)) link.setAttribute("href", target);
  }
}

/** Two breaks begin another paragraph; one beside a block says nothing, and neither do empty paragraphs. */
function readBreaks(root: Element): void {
  for (const end of all(root, "span[data-stringify-type=paragraph-break]"))
    end.replaceWith(create(end, "br"), create(end, "br"));
  const split = new Set<Element>();
  for (const end of all(root, "br")) {
    const { parentElement: parent } = end;
    if (parent === null || end.closest("td, th, pre") !== null) continue;
    const before = beside(end, "previousSibling");
    const behind = beside(end, "nextSibling");
    if (isEdge(before) || isEdge(behind)) end.remove();
    else if (behind?.nodeName === "BR" && (parent === root || parent.matches("p, div, blockquote"))) {
      end.replaceWith(create(end, "div"));
      split.add(parent);
    }
  }
  for (const element of split) wrapLines(element.tagName === "P" ? rename(element, "div") : element);
  for (const empty of all(root, "p, h1, h2, h3, h4, h5, h6, blockquote")) {
    const { parentElement: parent } = empty;
    const isOnly = parent?.matches("li, td, th, .content") === true && parent.children.length === 1;
    if (isEmpty(empty) && !isOnly) empty.remove();
  }
}

/** Makes paragraphs of what stands between the blocks of an element. */
function wrapLines(element: Element): void {
  let paragraph: Element | undefined;
  for (const node of [...element.childNodes]) {
    if (isBlock(node)) {
      paragraph = undefined;
      continue;
    }
    if (paragraph === undefined) {
      paragraph = create(element, "p");
      node.before(paragraph);
    }
    paragraph.append(node);
  }
}

const isBlock = (node: Node): boolean => node instanceof Element && node.matches(blocks);
const isEdge = (node: Node | null): boolean => node === null || isBlock(node);
