import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Messages } from "../../messages/index.ts";
import { call } from "../api/call.ts";
import { openDialog } from "../app/dialogs.ts";
import { beginKeysAhead } from "../app/keys-ahead.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { copyText } from "../parts/copy-text.ts";
import { isNamed } from "../writing/is-named.ts";
import type { ActionName } from "./action-names.ts";
import type { NewPlace } from "./create.ts";
import { failureText } from "./failure-text.ts";
import { setStar } from "./stars.ts";
import type { Target } from "./target.ts";
import { useNewDraft } from "./use-new-draft.ts";
import { useWrite } from "./use-write.ts";

type Actions = {
  /** Does something with a document, and reports it in words if it did not work. */
  readonly run: (name: ActionName, target: Target) => Promise<void>;
  /** Creates a document and opens it for writing. */
  readonly create: (place: NewPlace, title?: string) => Promise<void>;
};

/** Returns the functions behind every menu of a document. */
export function useActions(): Actions {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { messages } = useWords();
  const write = useWrite();
  const create = useNewDraft();
  const leave = ({ collectionId }: Target) =>
    collectionId === null
      ? navigate({ to: "/" })
      : navigate({ to: "/collections/$collectionId", params: { collectionId } });
  const reported = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      notify({ text: failureText(error, messages), isFailure: true });
    }
  };
  const run = (name: ActionName, target: Target) =>
    reported(async () => {
      if (name === "newInside" && target.collectionId !== null) {
        return create({ collectionId: target.collectionId, parentId: target.id });
      }
      if (name === "edit") {
        beginKeysAhead({ documentId: target.id, isForText: isNamed(target.title) });
        return write(target.id);
      }
      if (name === "history") {
        return navigate({ to: "/documents/$documentId/history", params: { documentId: target.id } });
      }
      if (name === "rename" || name === "emoji" || name === "tags" || name === "move") {
        return openDialog({ name, target });
      }
      await change(name, target, { queries, messages, leave: () => leave(target) });
    });
  return { run, create };
}

type Tools = {
  readonly queries: QueryClient;
  readonly messages: Messages;
  /** Leaves the page of the document. */
  readonly leave: () => Promise<void>;
};

async function change(name: ActionName, target: Target, { queries, messages, leave }: Tools): Promise<void> {
  const { id } = target;
  if (name === "star" || name === "unstar") return setStar(queries, id, name === "star");
  if (name === "copyLink") {
    const address = new URL(`/documents/${id}`, location.href).href;
    const isCopied = await copyText(address);
    return notify(
      isCopied ? { text: messages.linkCopied } : { text: messages.linkNotCopied(address), isFailure: true },
    );
  }
  if (name === "print") return print();
  if (name === "publish" || name === "unpublish") {
    await call("documents.update", { id, published: name === "publish", return: "minimal" });
    notify({ text: name === "publish" ? messages.published : messages.unpublished });
  }
  if (name === "archive" || name === "unarchive") await call(`documents.${name}`, { id });
  if (name === "trash") {
    await call("documents.delete", { id });
    // Its page is left at once: nothing can be done there, and it would read again what is gone.
    if (location.pathname.startsWith(`/documents/${id}`)) await leave();
  }
  const undone = (operation: "documents.restore" | "documents.unarchive") => async (): Promise<void> => {
    try {
      await call(operation, { id });
      await queries.invalidateQueries();
      notify({ text: messages.undone });
    } catch (error) {
      notify({ text: failureText(error, messages), isFailure: true });
    }
  };
  const title = target.title || messages.untitled;
  if (name === "archive") {
    notify({ text: messages.archived(title), action: { label: messages.undo, run: undone("documents.unarchive") } });
  }
  if (name === "trash") {
    notify({ text: messages.trashed(title), action: { label: messages.undo, run: undone("documents.restore") } });
  }
  await queries.invalidateQueries();
}
