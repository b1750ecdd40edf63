import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { useChange } from "../api/change.ts";
import type { BootCollection } from "../api/contract.ts";
import type { ListedRow } from "../api/listed-documents.ts";
import { bootQuery } from "../api/queries.ts";
import { focusHeading } from "../app/focus-heading.ts";
import { useWords } from "../app/words.tsx";
import { DocumentList } from "../parts/document-list.tsx";
import { Screen } from "../parts/screen.tsx";
import { When } from "../parts/when.tsx";
import { listFilters } from "./list-filters.ts";
import { mayUnarchive } from "./may-unarchive.ts";
import { useSayRestored } from "./use-say-restored.ts";

/** Archived collections and documents, each with a button for those who may bring it back. */
export function Archive(): ReactElement {
  const { messages } = useWords();
  const { data: app } = useQuery(bootQuery);
  const { problem, unarchiveCollection, unarchiveDocument } = useUnarchive();
  const archived = app.collections.filter(({ archivedAt }) => archivedAt !== null);
  return (
    <Screen title={messages.archive}>
      {problem !== undefined && (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
      {archived.length > 0 && (
        <>
          <section>
            <h2>{messages.collections}</h2>
            <ul className="rows">
              {archived.map((collection) => (
                <CollectionRow
                  key={collection.id}
                  collection={collection}
                  onUnarchive={() => unarchiveCollection(collection.id)}
                />
              ))}
            </ul>
          </section>
          <h2>{messages.documents}</h2>
        </>
      )}
      <DocumentList
        filter={listFilters.archive}
        empty={messages.archiveEmpty}
        actions={(row) =>
          mayUnarchive(row, app) && (
            <Unarchive name={row.title || messages.untitled} onPress={() => unarchiveDocument(row)} />
          )
        }
      />
    </Screen>
  );
}

/** The actions of the archive, and why the last one failed. */
function useUnarchive() {
  const { messages } = useWords();
  const collections = useChange("collections.unarchive");
  const documents = useChange("documents.unarchive");
  const [problem, setProblem] = useState<string>();
  const sayRestored = useSayRestored();
  const run = async (work: Promise<unknown>, then: () => void): Promise<void> => {
    setProblem(undefined);
    await work.then(then, (error) => setProblem(failureText(error, messages)));
  };
  return {
    problem,
    unarchiveCollection: (id: string) => void run(collections.mutateAsync({ id }), focusHeading),
    unarchiveDocument: (row: ListedRow) => void run(documents.mutateAsync({ id: row.id }), () => sayRestored(row)),
  };
}

type CollectionRowProps = { readonly collection: BootCollection; readonly onUnarchive: () => void };

function CollectionRow({ collection, onUnarchive }: CollectionRowProps): ReactElement {
  const { messages } = useWords();
  const { id, name, archivedAt, abilities } = collection;
  return (
    <li>
      <Link to="/collections/$collectionId" params={{ collectionId: id }}>
        <span className="row-title" dir="auto">
          {name}
        </span>
        {archivedAt !== null && (
          <span className="row-detail">
            {messages.movedToArchive} <When time={archivedAt} />
          </span>
        )}
      </Link>
      {abilities.edit && (
        <div className="row-actions">
          <Unarchive name={name} onPress={onUnarchive} />
        </div>
      )}
    </li>
  );
}

function Unarchive({ name, onPress }: { readonly name: string; readonly onPress: () => void }): ReactElement {
  const { messages } = useWords();
  return (
    <button type="button" className="button" aria-label={`${messages.unarchive}: ${name}`} onClick={onPress}>
      {messages.unarchive}
    </button>
  );
}
