import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { bootQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import { DocumentList } from "../parts/document-list.tsx";
import { Screen } from "../parts/screen.tsx";
import { listFilters } from "./list-filters.ts";

/** Archived collections and documents. */
export function Archive(): ReactElement {
  const { messages } = useWords();
  const { data } = useQuery(bootQuery);
  const archived = data.collections.filter(({ archivedAt }) => archivedAt !== null);
  return (
    <Screen title={messages.archive}>
      {archived.length > 0 && (
        <>
          <section>
            <h2>{messages.collections}</h2>
            <ul className="rows">
              {archived.map(({ id, name }) => (
                <li key={id}>
                  <Link to="/collections/$collectionId" params={{ collectionId: id }}>
                    <span className="row-title" dir="auto">
                      {name}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </section>
          <h2>{messages.documents}</h2>
        </>
      )}
      <DocumentList filter={listFilters.archive} empty={messages.archiveEmpty} />
    </Screen>
  );
}
