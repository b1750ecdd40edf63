import type { ReactElement } from "react";
import { useWords } from "../app/words.tsx";
import { DocumentList } from "../parts/document-list.tsx";
import { Screen } from "../parts/screen.tsx";
import { listFilters } from "./list-filters.ts";

/** The drafts that the reader may see. */
export function Drafts(): ReactElement {
  const { messages } = useWords();
  return (
    <Screen title={messages.drafts}>
      <DocumentList filter={listFilters.drafts} empty={messages.draftsEmpty} />
    </Screen>
  );
}
