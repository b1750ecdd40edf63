import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type ReactElement, useCallback } from "react";
import { failureText } from "../actions/failure-text.ts";
import { useChange } from "../api/change.ts";
import { revisionQuery, viewQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import { Diff } from "../parts/diff.tsx";
import { Screen } from "../parts/screen.tsx";
import { When } from "../parts/when.tsx";
import { Article } from "../reading/article.tsx";

const route = getRouteApi("/documents/$documentId/history/$revision");

/** One state of a document, rendered, with what changed since the one before. Those who may edit restore it. */
export function Revision(): ReactElement {
  const { messages } = useWords();
  const { documentId, revision } = route.useParams();
  const navigate = route.useNavigate();
  const { data } = useSuspenseQuery(revisionQuery(documentId, Number(revision)));
  const { data: view } = useSuspenseQuery(viewQuery(documentId));
  const restore = useChange("documents.revisions.restore");
  const show = useCallback(() => {}, []);
  const isCurrent = view.document.revision === data.revision;
  const restoreIt = async (): Promise<void> => {
    const expectedRevision = view.document.revision;
    await restore.mutateAsync({ id: documentId, revision: data.revision, expectedRevision });
    await navigate({ to: "/documents/$documentId", params: { documentId } });
  };
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
        view.abilities.edit &&
        !isCurrent && (
          <button
            type="button"
            className="button"
            disabled={restore.isPending}
            onClick={() => void restoreIt().catch(() => {})}
          >
            {messages.restoreVersion}
          </button>
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
        {isCurrent && <span>{messages.currentVersion}</span>}
      </p>
      {restore.error !== null && (
        <p className="notice" role="alert">
          {failureText(restore.error, messages)}
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
