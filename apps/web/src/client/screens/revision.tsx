import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactElement, useCallback } from "react";
import { revisionQuery, viewQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import { Diff } from "../parts/diff.tsx";
import { Screen } from "../parts/screen.tsx";
import { When } from "../parts/when.tsx";
import { Article } from "../reading/article.tsx";
import { useRevisionChanges } from "./use-revision-changes.ts";

const route = getRouteApi("/documents/$documentId/history/$revision");

/** One state of a document, rendered, with what changed since the one before. Those who may edit restore it, or undo its change. */
export function Revision(): ReactElement {
  const { messages } = useWords();
  const { documentId, revision } = route.useParams();
  const { data } = useSuspenseQuery(revisionQuery(documentId, Number(revision)));
  const { data: view } = useSuspenseQuery(viewQuery(documentId));
  const change = useRevisionChanges(documentId, data.revision, view.document.revision);
  const show = useCallback(() => {}, []);
  const isCurrent = view.document.revision === data.revision;
  return (
    <Screen
      title={data.title || messages.untitled}
      emoji={data.emoji}
      before={
        <p className="crumbs">
          <Link to="/documents/$documentId/history" params={{ documentId }}>
            {messages.history}
          </Link>
        </p>
      }
      actions={
        view.abilities.edit && (
          <>
            {data.previousRevision !== null && (
              <button type="button" className="button" disabled={change.isPending} onClick={change.undo}>
                {messages.undoChange}
              </button>
            )}
            {!isCurrent && (
              <button type="button" className="button" disabled={change.isPending} onClick={change.restore}>
                {messages.restoreVersion}
              </button>
            )}
          </>
        )
      }
    >
      <p className="facts">
        <span>{messages.revision(data.revision)}</span>
        {data.author !== null && (
          <span>
            <bdi>{data.author.name}</bdi>
          </span>
        )}
        <When time={data.createdAt} form="minute" />
        {data.undoes !== undefined && <span>{messages.undoes(data.undoes)}</span>}
        {isCurrent && <span>{messages.currentVersion}</span>}
      </p>
      {change.failure !== null && (
        <p className="notice" role="alert">
          {change.failure}
        </p>
      )}
      <Article id={`${documentId}/history`} revision={data.revision} html={data.html} onShow={show} />
      {data.diff !== null && <Changes diff={data.diff} />}
    </Screen>
  );
}

function Changes({ diff }: { readonly diff: string }): ReactElement {
  const { messages } = useWords();
  return (
    <section className="part">
      <h2>{messages.changes}</h2>
      {diff === "" ? <p className="quiet">{messages.changesNone}</p> : <Diff diff={diff} label={messages.changes} />}
    </section>
  );
}
