import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { timeFormat } from "../../messages/dates.ts";
import { revisionsQuery, viewQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import { Loading } from "../parts/loading.tsx";
import { Screen } from "../parts/screen.tsx";
import { When } from "../parts/when.tsx";

const route = getRouteApi("/documents/$documentId/history");

/** The history of a document: its stored states by day, the newest first. */
export function History(): ReactElement {
  const { messages, locale } = useWords();
  const { documentId } = route.useParams();
  const view = useQuery(viewQuery(documentId));
  const revisions = useQuery(revisionsQuery(documentId));
  const list = revisions.data?.data ?? [];
  const dayOf = ({ createdAt }: { readonly createdAt: string }) => timeFormat(locale).day.format(new Date(createdAt));
  const days = [...Map.groupBy(list, dayOf)];
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
      {list.length === 1 && <p className="quiet">{messages.historyOne}</p>}
      {days.map(([day, entries]) => (
        <section key={day} className="part">
          <h2>{day}</h2>
          <ul className="rows">
            {entries.map(({ revision, author, createdAt, credentialKind, credentialName }) => (
              <li key={revision}>
                <Link to="/documents/$documentId/history/$revision" params={{ documentId, revision: String(revision) }}>
                  <span className="row-title">{messages.revision(revision)}</span>
                  <span className="row-detail">
                    {author !== null && <By name={author.name} />}
                    {credentialKind !== "session" && credentialKind !== "live" && credentialName !== null && (
                      <By name={credentialName} />
                    )}
                    <When time={createdAt} />
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Screen>
  );
}

function By({ name }: { readonly name: string }): ReactElement {
  return (
    <>
      <bdi>{name}</bdi> ·{" "}
    </>
  );
}
