import { lazy, type ReactElement, Suspense, useSyncExternalStore } from "react";
import { dialogStore, openDialog } from "./dialogs.ts";

const CreateDialog = lazy(async () => ({ default: (await import("../actions/create-dialog.tsx")).CreateDialog }));
const LogOutDialog = lazy(async () => ({ default: (await import("../actions/log-out-dialog.tsx")).LogOutDialog }));
const ShortcutsDialog = lazy(async () => ({ default: (await import("./shortcuts-dialog.tsx")).ShortcutsDialog }));
const dialogs = {
  move: lazy(async () => ({ default: (await import("../actions/move-dialog.tsx")).MoveDialog })),
  rename: lazy(async () => ({ default: (await import("../actions/rename-dialog.tsx")).RenameDialog })),
  emoji: lazy(async () => ({ default: (await import("../actions/emoji-dialog.tsx")).EmojiDialog })),
  tags: lazy(async () => ({ default: (await import("../actions/tags-dialog.tsx")).TagsDialog })),
};
const close = (): void => openDialog(undefined);

/** Shows the dialog that is open, if any. Each is loaded when it is first opened. */
export function DialogHost(): ReactElement | null {
  const open = useSyncExternalStore(dialogStore.subscribe, dialogStore.read);
  if (open === undefined) return null;
  return <Suspense fallback={null}>{elementOf(open)}</Suspense>;
}

function elementOf(open: NonNullable<ReturnType<typeof dialogStore.read>>): ReactElement {
  if (open.name === "create") return <CreateDialog title={open.title} onClose={close} />;
  if (open.name === "shortcuts") return <ShortcutsDialog onClose={close} />;
  if (open.name === "logOut") return <LogOutDialog drafts={open.drafts} onClose={close} />;
  const DocumentDialog = dialogs[open.name];
  return <DocumentDialog target={open.target} onClose={close} />;
}
