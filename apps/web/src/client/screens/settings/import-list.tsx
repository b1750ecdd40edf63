import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactElement, useEffect, useRef, useState } from "react";
import { call } from "../../api/call.ts";
import { useChange } from "../../api/change.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { sizeText } from "../../parts/file-row.ts";
import { Loading } from "../../parts/loading.tsx";
import { When } from "../../parts/when.tsx";
import { importFailure } from "../../transfer/import-failure.ts";
import { type Import, importsQuery, isActive } from "../../transfer/imports-query.ts";
import { stopSending, useSendingFailure, useSentBytes } from "../../transfer/sent-files.ts";
import { ImportResult } from "./import-result.tsx";
import { useAct } from "./use-act.ts";

/** The latest imports of the reader. One that goes on is watched until its end. */
export function ImportList(): ReactElement {
  const { imports: words } = settingsWords;
  const imports = useQuery(importsQuery);
  const queries = useQueryClient();
  const active = imports.data?.filter(isActive).length ?? 0;
  const activeBefore = useRef(active);
  useEffect(() => {
    // What an import has written is in every list.
    if (active < activeBefore.current) void queries.invalidateQueries();
    activeBefore.current = active;
  }, [active, queries]);
  if (imports.data === undefined) return <Loading query={imports} />;
  if (imports.data.length === 0) return <p className="quiet">{words.none}</p>;
  return (
    <>
      <h3>{words.latest}</h3>
      <ul className="rows">
        {imports.data.map((each) => (
          <li key={each.id}>
            <ImportRow shown={each} />
          </li>
        ))}
      </ul>
    </>
  );
}

type ImportRowProps = { readonly shown: Import };

function ImportRow({ shown }: ImportRowProps): ReactElement {
  const { locale } = useWords();
  const { imports: words } = settingsWords;
  const { id, name, size, status, dryRun, createdAt, collection, newCollection, failure } = shown;
  const [isOpen, setOpen] = useState(false);
  const sent = useSentBytes(id);
  const statuses = dryRun ? words.checkStatuses : words.statuses;
  return (
    <>
      <div className="row-text">
        <span className="row-title">
          <span dir="auto">{name}</span>{" "}
          <span className={status === "failed" ? "tag alarm" : "tag"}>
            {sent === undefined ? statuses[status] : words.isSending}
          </span>
        </span>
        <span className="row-detail facts">
          <When time={createdAt} />
          <span>{sizeText(size, locale)}</span>
          {collection !== null && (
            <Link to="/collections/$collectionId" params={{ collectionId: collection.id }} dir="auto">
              {collection.name}
            </Link>
          )}
          {newCollection !== null && <span>{words.intoNew(newCollection)}</span>}
        </span>
        {sent !== undefined && <progress aria-label={words.sending(name)} value={sent} max={size} />}
        <ImportProgress shown={shown} />
        <SendingFailure id={id} />
        {failure !== null && (
          <span className="row-detail" role="alert" dir="auto">
            {words.explained(failure.message, failure.explanation)}
          </span>
        )}
        {isEmpty(shown) && <span className="row-detail">{words.emptyFile}</span>}
        {isOpen && <ImportResult id={id} />}
      </div>
      <ImportActions shown={shown} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
    </>
  );
}

/** Returns whether the file of an import, which was read to its end, has no documents. */
const isEmpty = ({ status, files }: Import): boolean => status === "done" && files === 0;

/** Says why this page could not send the file of an import. */
function SendingFailure({ id }: { readonly id: string }): ReactElement | null {
  const { messages } = useWords();
  const error = useSendingFailure(id);
  if (error === undefined) return null;
  return (
    <span className="row-detail" role="alert">
      {importFailure(error, messages)}
    </span>
  );
}

function ImportProgress({ shown }: ImportRowProps): ReactElement | null {
  const { imports: words } = settingsWords;
  const { name, status, files, read, written } = shown;
  if (status !== "running" || files === 0) return null;
  const isReading = read < files && written === 0;
  // Folders without a file become pages too.
  const done = isReading ? read : Math.min(written, files);
  return (
    <>
      <span className="row-detail" role="status">
        {(isReading ? words.reading : words.writing)(done, files)}
      </span>
      <progress aria-label={words.progressOf(name)} value={read + Math.min(written, files)} max={2 * files} />
    </>
  );
}

type ImportActionsProps = ImportRowProps & { readonly isOpen: boolean; readonly onToggle: () => void };

function ImportActions({ shown, isOpen, onToggle }: ImportActionsProps): ReactElement {
  const { imports: words } = settingsWords;
  const { id, name, status, isStopping, canContinue, dryRun, newCollection } = shown;
  const act = useAct();
  const stop = useChange("imports.stop");
  const resume = useChange("imports.continue");
  const proceed = async (): Promise<void> => {
    const isNew = newCollection !== null && shown.collection === null;
    const created = isNew ? { collectionId: (await call("collections.create", { name: newCollection })).id } : {};
    await resume.mutateAsync({ id, ...created });
  };
  const continueLabel = dryRun && status === "done" ? words.importNow : words.resume;
  return (
    <div className="row-actions">
      {status === "done" && (
        <button
          type="button"
          className="button"
          aria-expanded={isOpen}
          aria-label={words.resultOf(name)}
          onClick={onToggle}
        >
          {words.result}
        </button>
      )}
      {(isActive(shown) || status === "waiting") && !isStopping && (
        <button
          type="button"
          className="button"
          aria-label={words.stopOf(name)}
          onClick={() => {
            stopSending(id);
            act(() => stop.mutateAsync({ id }), status === "running" ? words.stopping : words.stopped);
          }}
        >
          {words.stop}
        </button>
      )}
      {canContinue && !isEmpty(shown) && (
        <button
          type="button"
          className="button"
          aria-label={words.continueOf(continueLabel, name)}
          onClick={() => act(proceed, words.continued)}
        >
          {continueLabel}
        </button>
      )}
    </div>
  );
}
