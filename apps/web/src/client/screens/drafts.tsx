import type { ReactElement } from "react";
import { useCreate } from "../app/use-create.ts";
import { useWords } from "../app/words.tsx";
import { DocumentList } from "../parts/document-list.tsx";
import { Screen } from "../parts/screen.tsx";
import { listFilters } from "./list-filters.ts";

/** The drafts that the reader may see. */
export function Drafts(): ReactElement {
  const { messages } = useWords();
  const create = useCreate();
  return (
    <Screen title={messages.drafts}>
      <DocumentList
        filter={listFilters.drafts}
        empty={messages.draftsEmpty}
        firstStep={
          create !== undefined && (
            <p>
              <button type="button" className="button primary" onClick={() => create()}>
                {messages.newDocument}
              </button>
            </p>
          )
        }
      />
    </Screen>
  );
}
