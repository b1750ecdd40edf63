import type { ReactElement } from "react";
import type { OutputOf } from "../api/contract.ts";
import { useWords } from "../app/words.tsx";
import { DocumentSymbol } from "./document-symbol.tsx";
import { PickerItem } from "./picker-item.tsx";

type DocumentItemProps = {
  readonly document: Pick<OutputOf<"documents.suggest">[number], "id" | "title" | "emoji" | "collection" | "path">;
};

/** An entry of a `Picker` for a suggested document, with the titles above it. */
export function DocumentItem({ document }: DocumentItemProps): ReactElement {
  const { messages } = useWords();
  const { id, title, emoji, collection, path } = document;
  return (
    <PickerItem
      id={id}
      name={title || messages.untitled}
      symbol={<DocumentSymbol emoji={emoji} icon="page" />}
      detail={[collection?.name ?? "", ...path.map((each) => each.title || messages.untitled)].join(" / ")}
    />
  );
}
