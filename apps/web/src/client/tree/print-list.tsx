import type { ReactElement } from "react";
import type { TreeNode } from "../api/contract.ts";
import { useWords } from "../app/words.tsx";
import { DocumentRows } from "../parts/document-rows.tsx";
import styles from "./level-list.module.css";
import type { LevelPlace } from "./rows.ts";
import { usePrinting } from "./use-printing.ts";

/** The most rows that are laid out for paper within the app: a longer list has a page of its own for printing. */
const mostRows = 500;

type PrintListProps = {
  readonly place: LevelPlace;
  /** All documents of the level; undefined if they are not loaded. */
  readonly nodes: readonly TreeNode[] | undefined;
};

/**
 * The list on paper, which has rows that the window does not: all of them, or where a page with all of them is. Nothing on
 * the screen but the link to that page.
 */
export function PrintList({ place, nodes }: PrintListProps): ReactElement | null {
  const { messages } = useWords();
  const isPrinting = usePrinting();
  if (nodes !== undefined && nodes.length <= mostRows) {
    if (!isPrinting) return null;
    return (
      <div className={styles.paper}>
        <DocumentRows rows={nodes.map((node) => ({ ...node, isDraft: node.state === "draft" }))} />
      </div>
    );
  }
  const path = `/collections/${place.collectionId}/print`;
  return (
    <>
      <p className={styles.screen}>
        <a href={path}>{messages.printList}</a>
      </p>
      <p className={styles.paper}>{messages.printListNote(`${location.origin}${path}`)}</p>
    </>
  );
}
