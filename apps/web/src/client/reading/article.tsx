import { useRouter } from "@tanstack/react-router";
import { type ReactElement, useEffect, useLayoutEffect, useRef } from "react";
import type { Messages } from "../../messages/index.ts";
import { useWords } from "../app/words.tsx";
import { adoptArticle, articleKey } from "./adopt.ts";
import { withCalloutKinds } from "./callout-kinds.ts";
import { isEmptyHtml } from "./empty-document.ts";
import { enhance } from "./enhance.ts";
import { markFarBlocks } from "./far-blocks.ts";
import { withFaultWords } from "./fault-words.ts";
import { followLinks } from "./follow-links.ts";
import { elementsOf } from "./html.ts";
import { recordBlocks, replaceBlocks } from "./replace-blocks.ts";
import { directionOfHtml, setDirection } from "./text-direction.ts";
import { boxesOf, enableTasks, useTicks } from "./tick-tasks.ts";

type ArticleProps = {
  readonly id: string;
  readonly revision: number;
  readonly html: string;
  /** Where the reader writes the document; undefined if the reader may not, who then ticks no task either. */
  readonly editAddress?: string | undefined;
  /** Called with the element in the page, before it is painted. */
  readonly onShow: (article: HTMLElement, revision: number) => void;
};

/**
 * The text of a document: the server's own article where it is in the page, else the HTML of the answer. A newer version of
 * the same document replaces only the blocks that differ.
 */
export function Article({ id, revision, html, editAddress, onShow }: ArticleProps): ReactElement {
  const holder = useRef<HTMLDivElement>(null);
  const shown = useRef<{ readonly id: string; readonly node: HTMLElement }>(undefined);
  const { locale, messages } = useWords();
  const ticks = useTicks(messages);
  const router = useRouter();
  useEffect(() => {
    if (holder.current === null) return undefined;
    return followLinks(holder.current, (path) => router.history.push(path));
  }, [router]);
  useLayoutEffect(() => {
    const focused = boxesOf(holder.current).findIndex((box) => box === document.activeElement);
    const version = { id, revision, html: withFaultWords(withCalloutKinds(html, locale), messages.formulaFaults) };
    const node = articleToShow(shown.current, version, () => emptyVersion(messages, editAddress));
    shown.current = { id, node };
    if (node.parentElement !== holder.current) holder.current?.replaceChildren(node);
    const endEnhancing = enhance(node, messages);
    const endTicking = enableTasks(node, messages, editAddress === undefined ? undefined : ticks(id, revision));
    // The block with the box that was just ticked is another element in the version that has the tick.
    if (document.activeElement === document.body) boxesOf(node)[focused]?.focus({ preventScroll: true });
    onShow(node, revision);
    return () => {
      endEnhancing();
      endTicking();
    };
  }, [id, revision, html, editAddress, locale, messages, onShow]);
  return <div ref={holder} />;
}

type Version = { readonly id: string; readonly revision: number; readonly html: string };

function articleToShow(
  shown: { readonly id: string; readonly node: HTMLElement } | undefined,
  { id, revision, html }: Version,
  empty: () => DocumentFragment,
): HTMLElement {
  const key = articleKey(id, revision);
  if (shown?.id === id && shown.node.dataset.key === key) return shown.node;
  const adopted = adoptArticle(key);
  const node = adopted ?? (shown?.id === id ? shown.node : emptyArticle());
  if (adopted !== undefined) {
    if (node.isConnected) return node;
    // Their boxes change at once; the other blocks are recorded before anything is added to them.
    recordBlocks(boxesOf(node).flatMap((box) => box.closest("article > *") ?? []));
    markFarBlocks(node);
    return node;
  }
  node.dataset.key = key;
  setDirection(node, directionOfHtml(html));
  replaceBlocks(node, isEmptyHtml(html) ? empty() : elementsOf(html));
  return node;
}

/** What the server shows for a document without text. */
function emptyVersion({ emptyDocument, editAction }: Messages, editAddress: string | undefined): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const paragraph = document.createElement("p");
  paragraph.className = "quiet";
  paragraph.textContent = emptyDocument;
  if (editAddress !== undefined) {
    const link = document.createElement("a");
    link.className = "edit-link";
    link.href = editAddress;
    link.textContent = editAction;
    paragraph.append(" ", link);
  }
  fragment.append(paragraph);
  return fragment;
}

function emptyArticle(): HTMLElement {
  const node = document.createElement("article");
  node.className = "prose";
  return node;
}
