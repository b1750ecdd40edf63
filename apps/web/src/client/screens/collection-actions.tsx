import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactElement, useMemo, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { call } from "../api/call.ts";
import { useChange } from "../api/change.ts";
import type { BootCollection } from "../api/contract.ts";
import { bootQuery } from "../api/queries.ts";
import { notify } from "../app/notices.ts";
import { useCreate } from "../app/use-create.ts";
import { useWords } from "../app/words.tsx";
import { type CollectionAction, collectionActions } from "../collections/collection-actions.ts";
import { ConfirmDialog } from "../parts/confirm-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import { MenuButton, type MenuProps } from "../parts/menu-button.tsx";

const CollectionMenu = lazyLayer(async () => (await import("../collections/collection-menu.tsx")).CollectionMenu);
const EditCollection = lazyLayer(async () => (await import("../collections/edit-collection.tsx")).EditCollection);
const CollectionAccess = lazyLayer(async () => (await import("../collections/collection-access.tsx")).CollectionAccess);

type Layer = "edit" | "access" | "delete";

/** The menu of a collection beside its name; absent for those who may do nothing with it. */
export function CollectionActions({ collection }: { readonly collection: BootCollection }): ReactElement | null {
  const { messages } = useWords();
  const { data } = useQuery(bootQuery);
  const [layer, setLayer] = useState<Layer>();
  const run = useRun(collection, setLayer);
  const actions = collectionActions(collection, data.user.capabilities);
  const shown = actions.join();
  const menu = useMemo(
    () => (props: MenuProps) => <CollectionMenu {...props} name={collection.name} actions={actions} onAction={run} />,
    // The menu stays the same component while it is open.
    [shown, collection.name],
  );
  const close = (): void => setLayer(undefined);
  if (actions.length === 0) return null;
  return (
    <div className="actions">
      <MenuButton
        label={messages.collectionActions(collection.name)}
        className="button"
        menu={menu}
        preload={CollectionMenu.preload}
      >
        <Icon name="more" />
      </MenuButton>
      {layer === "edit" && <EditCollection id={collection.id} onClose={close} />}
      {layer === "access" && <CollectionAccess collection={collection} onClose={close} />}
      {layer === "delete" && <DeleteCollection collection={collection} onClose={close} />}
    </div>
  );
}

/** Returns a function that does what an entry of the menu says. */
function useRun({ id, name }: BootCollection, open: (layer: Layer) => void): (action: CollectionAction) => void {
  const { messages } = useWords();
  const create = useCreate();
  const archive = useChange("collections.archive");
  const unarchive = useChange("collections.unarchive");
  const undo = {
    label: messages.undo,
    run: () => unarchive.mutate({ id }, { onSuccess: () => notify({ text: messages.undone }) }),
  };
  const save = (format: "zip" | "html"): void => {
    const link = document.createElement("a");
    link.href = `/api/v1/collections.export?${new URLSearchParams({ id, format })}`;
    // A refusal is a failed download, and the page stays.
    link.download = "";
    link.click();
  };
  const actions: Readonly<Record<CollectionAction, () => void>> = {
    create: () => create?.(),
    edit: () => open("edit"),
    access: () => open("access"),
    exportMarkdown: () => save("zip"),
    exportHtml: () => save("html"),
    archive: () =>
      archive.mutate(
        { id },
        {
          onSuccess: () => notify({ text: messages.collectionArchived(name), action: undo }),
          onError: (error) => notify({ text: failureText(error, messages), isFailure: true }),
        },
      ),
    delete: () => open("delete"),
  };
  return (action) => actions[action]();
}

type LayerProps = { readonly collection: BootCollection; readonly onClose: () => void };

/** Asks for a word before a collection is deleted: only its documents come back. */
function DeleteCollection({ collection: { id, name }, onClose }: LayerProps): ReactElement {
  const { messages } = useWords();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const remove = async (): Promise<void> => {
    try {
      await call("collections.delete", { id });
    } catch (error) {
      return setFailure(failureText(error, messages));
    }
    // Left before everything is read again: the page of the collection is gone.
    await navigate({ to: "/" });
    notify({ text: messages.collectionDeleted(name) });
    await queries.invalidateQueries();
  };
  return (
    <ConfirmDialog
      title={messages.deleteCollectionTitle(name)}
      text={messages.deleteCollectionText}
      action={messages.deleteCollection}
      typed={messages.emptyTrashWord}
      failure={failure}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
