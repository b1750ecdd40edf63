import type { ReactElement } from "react";
import { Icon } from "../parts/icon.tsx";
import { ariaKeys } from "./shortcuts.ts";
import { useCreate } from "./use-create.ts";
import { useWords } from "./words.tsx";

/** The button that creates a document here; absent for those who may write nowhere. */
export function NewDocumentButton(): ReactElement | null {
  const { messages } = useWords();
  const create = useCreate();
  if (create === undefined) return null;
  return (
    <button type="button" className="row-link row-new" aria-keyshortcuts={ariaKeys("create")} onClick={() => create()}>
      <Icon name="plus" />
      <span>{messages.newDocument}</span>
    </button>
  );
}
