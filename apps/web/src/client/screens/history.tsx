import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { revisionsQuery, viewQuery } from "../api/queries.ts";
import { usePictures } from "../api/use-pictures.ts";
import { useWords } from "../app/words.tsx";
import { Face } from "../parts/face.tsx";
import { Loading } from "../parts/loading.tsx";
import { Pages } from "../parts/pages.tsx";
import { Screen } from "../parts/screen.tsx";
import { When } from "../parts/when.tsx";
import { credentialOf, historyDays, historyNote } from "../reading/history-days.ts";

const route = getRouteApi("/documents/$documentId/history");

/** The history of a document: its stored states by day, the newest first. */
export function History(): ReactElement {
  const { messages, locale } = useWords();
  const { documentId } = route.useParams();
  const view = useQuery(viewQuery(documentId));
  const { page = 1 } = route.useSearch();
  const revisions = useQuery(revisionsQuery(documentId, page));
  const list = revisions.data?.data ?? [];
  const pictures = usePictures(list.flatMap(({ author }) => (author === null ? [] : [author.id])));
  return (
    <Screen
      title={messages.historyOf(view.data?.document.title || messages.untitled)}
      before={
        <p className="crumbs">
          <Link to="/documents/$documentId" params={{ documentId }}>
            {messages.backToDocument}
          </Link>
        </p>
      }
    >
      {revisions.data === undefined && <Loading query={revisions} />}
      {revisions.data !== undefined && <p className="quiet">{historyNote(revisions.data.total, list, messages)}</p>}
      {historyDays(list, locale).map(([day, entries]) => (
        <section key={day} className="part">
          <h2>{day}</h2>
          <ul className="rows">
            {entries.map((entry) => (
              <li key={entry.revision}>
                <Link
                  to="/documents/$documentId/history/$revision"
                  params={{ documentId, revision: String(entry.revision) }}
                >
                  <span className="row-title">{messages.revision(entry.revision)}</span>
                  <span className="row-detail">
                    {entry.author !== null && (
                      <Face userId={entry.author.id} name={entry.author.name} picture={pictures.get(entry.author.id)} />
                    )}
                    <By name={entry.author?.name ?? null} />
                    <By name={credentialOf(entry)} />
                    {entry.undoes !== undefined && `${messages.undoes(entry.undoes)} · `}
                    <When time={entry.createdAt} form="time" />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <Pages page={page} total={revisions.data?.total ?? 0} />
    </Screen>
  );
}

function By({ name }: { readonly name: string | null }): ReactElement | null {
  if (name === null) return null;
  return (
    <>
      <bdi>{name}</bdi> ·{" "}
    </>
  );
}
