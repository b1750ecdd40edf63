import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import { call } from "../api/call.ts";
import type { View } from "../api/contract.ts";
import { useFurtherRows } from "../api/further-rows.ts";
import { backlinksQuery } from "../api/queries.ts";
import { queryKeys, shownBacklinks } from "../api/query-keys.ts";
import { useWords } from "../app/words.tsx";
import { DocumentRows } from "../parts/document-rows.tsx";
import { MoreButton } from "../parts/more-button.tsx";
import { When } from "../parts/when.tsx";
import { entryRow } from "./entry-row.ts";
import { Files } from "./files.tsx";

type PropertiesProps = { readonly view: View; readonly words: number };

/** Facts about a document below its text: who made it and when, its length, its history, its files, and what links to it. */
export function Properties({ view, words }: PropertiesProps): ReactElement {
  const { messages } = useWords();
  const { document, createdBy, lastModifiedBy } = view;
  // A document in the trash has neither backlinks nor a history until it is restored.
  const backlinks = useQuery({ ...backlinksQuery(document.id), enabled: document.deletedAt === null });
  const list = useFurtherRows(
    queryKeys.backlinks(document.id),
    backlinks.data,
    ({ id }) => id,
    (offset, signal) => call("documents.backlinks", { id: document.id, limit: shownBacklinks, offset }, { signal }),
  );
  return (
    <>
      {list.rows.length > 0 && (
        <section className="part">
          <h2>{messages.backlinks}</h2>
          <DocumentRows rows={list.rows.map(entryRow)} />
          <MoreButton list={list} />
        </section>
      )}
      <Files
        documentId={document.id}
        isTrashed={document.deletedAt !== null}
        canDelete={view.abilities.edit && document.archivedAt === null}
      />
      <section className="part">
        <h2>{messages.properties}</h2>
        <dl className="properties">
          <Property name={messages.created}>
            <By person={createdBy} /> <When time={document.createdAt} />
          </Property>
          <Property name={messages.updated}>
            <By person={lastModifiedBy} /> <When time={document.updatedAt} />
          </Property>
          <Property name={messages.length}>{messages.wordCount(words)}</Property>
          <Property name={messages.history}>
            {document.deletedAt !== null ? (
              messages.revision(document.revision)
            ) : (
              <Link to="/documents/$documentId/history" params={{ documentId: document.id }}>
                {messages.revision(document.revision)}
              </Link>
            )}
          </Property>
        </dl>
      </section>
    </>
  );
}

function Property({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function By({ person }: { readonly person: View["createdBy"] }): ReactElement | null {
  return (
    person && (
      <>
        <bdi>{person.name}</bdi> ·
      </>
    )
  );
}
