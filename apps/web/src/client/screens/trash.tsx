import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { call } from "../api/call.ts";
import { useChange } from "../api/change.ts";
import { Failure } from "../api/failure.ts";
import { bootQuery } from "../api/queries.ts";
import { focusHeading } from "../app/focus-heading.ts";
import { useWords } from "../app/words.tsx";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { DocumentList, useListedPage } from "../parts/document-list.tsx";
import { Screen } from "../parts/screen.tsx";
import { ChooseCollection } from "./choose-collection.tsx";
import { listFilters } from "./list-filters.ts";
import { mayDestroy } from "./may-destroy.ts";
import { useSayRestored } from "./use-say-restored.ts";

type Named = { readonly id: string; readonly title: string };
type Layer = { readonly name: "destroy" | "choose"; readonly document: Named } | { readonly name: "empty" };

/** The documents in the trash that the reader may restore. Those who may also destroy them for good. */
export function Trash(): ReactElement {
  const { messages } = useWords();
  const { data } = useQuery(bootQuery);
  const { layer, setLayer, problem, restore, destroy, empty } = useTrash();
  const { page, list } = useListedPage(listFilters.trash);
  const canDestroy = mayDestroy(data.user.capabilities);
  const isEmpty = page === 1 && list.data?.data.length === 0;
  return (
    <Screen
      title={messages.trash}
      actions={
        canDestroy &&
        !isEmpty && (
          <button type="button" className="button" onClick={() => setLayer({ name: "empty" })}>
            {messages.emptyTrash}
          </button>
        )
      }
    >
      <p className="quiet">{messages.trashHelp}</p>
      {problem !== undefined && (
        <p className="notice" role="alert">
          {problem}
        </p>
      )}
      <DocumentList
        filter={listFilters.trash}
        empty={messages.trashEmpty}
        actions={(row) => {
          const document = { id: row.id, title: row.title || messages.untitled };
          return (
            <TrashActions
              title={document.title}
              onRestore={() => restore(document)}
              onDestroy={canDestroy ? () => setLayer({ name: "destroy", document }) : undefined}
            />
          );
        }}
      />
      {layer !== undefined && (
        <TrashDialog
          layer={layer}
          onDestroy={destroy}
          onEmpty={empty}
          onRestore={restore}
          onClose={() => setLayer(undefined)}
        />
      )}
    </Screen>
  );
}

/** The state of the actions in the trash, of which one runs at a time: the open dialog, and the last failure. */
function useTrash() {
  const { messages } = useWords();
  const restoring = useChange("documents.restore");
  const destroying = useChange("documents.destroy");
  const emptyTrash = useEmptyTrash();
  const sayRestored = useSayRestored();
  const [layer, setLayer] = useState<Layer>();
  const [problem, setProblem] = useState<string>();
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setLayer(undefined);
    setProblem(undefined);
    await work().catch((error) => setProblem(failureText(error, messages)));
  };
  const restoreOrChoose = async (document: Named, collectionId?: string): Promise<void> => {
    try {
      await restoring.mutateAsync({ id: document.id, collectionId });
      sayRestored(document);
    } catch (error) {
      if (!isWithoutCollection(error)) throw error;
      setLayer({ name: "choose", document });
    }
  };
  return {
    layer,
    setLayer,
    problem,
    restore: (document: Named, collectionId?: string) => void run(() => restoreOrChoose(document, collectionId)),
    destroy: (id: string) => void run(() => destroying.mutateAsync({ id }).then(focusHeading)),
    empty: () => void run(() => emptyTrash().then(focusHeading)),
  };
}

type TrashDialogProps = {
  readonly layer: Layer;
  readonly onDestroy: (id: string) => void;
  readonly onEmpty: () => void;
  readonly onRestore: (document: Named, collectionId: string) => void;
  readonly onClose: () => void;
};

function TrashDialog({ layer, onDestroy, onEmpty, onRestore, onClose }: TrashDialogProps): ReactElement {
  const { messages } = useWords();
  if (layer.name === "choose") {
    const { document } = layer;
    return <ChooseCollection onChoose={(collectionId) => onRestore(document, collectionId)} onClose={onClose} />;
  }
  if (layer.name === "destroy") {
    const { id, title } = layer.document;
    return (
      <ConfirmDialog
        title={messages.destroyTitle(title)}
        text={messages.destroyText}
        action={messages.destroy}
        onConfirm={() => onDestroy(id)}
        onClose={onClose}
      />
    );
  }
  return (
    <ConfirmDialog
      title={messages.emptyTrashTitle}
      text={messages.emptyTrashText}
      action={messages.emptyTrash}
      typed={messages.emptyTrashWord}
      onConfirm={onEmpty}
      onClose={onClose}
    />
  );
}

type TrashActionsProps = {
  readonly title: string;
  readonly onRestore: () => void;
  readonly onDestroy: (() => void) | undefined;
};

function TrashActions({ title, onRestore, onDestroy }: TrashActionsProps): ReactElement {
  const { messages } = useWords();
  return (
    <>
      <button type="button" className="button" aria-label={`${messages.restore}: ${title}`} onClick={onRestore}>
        {messages.restore}
      </button>
      {onDestroy !== undefined && (
        <button type="button" className="button alarm" aria-label={`${messages.destroy}: ${title}`} onClick={onDestroy}>
          {messages.destroy}
        </button>
      )}
    </>
  );
}

/** Returns whether a document cannot be restored because its collection is gone or archived, so that another is needed. */
const isWithoutCollection = (error: unknown): boolean =>
  error instanceof Failure && error.status === 409 && error.details.some(({ path }) => path === "collectionId");

/** Returns a function that empties the trash, in as many calls as that takes. */
function useEmptyTrash(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    try {
      let remaining = 1;
      while (remaining > 0) {
        const answer = await call("trash.empty", {});
        remaining = answer.destroyed === 0 ? 0 : answer.remaining;
      }
    } finally {
      await queries.invalidateQueries();
    }
  };
}
