import { type ReactElement, useSyncExternalStore } from "react";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import { dialogStore, openDialog } from "./dialogs.ts";

const CreateCollection = lazyLayer(async () => (await import("../collections/create-collection.tsx")).CreateCollection);
const CreateDialog = lazyLayer(async () => (await import("../actions/create-dialog.tsx")).CreateDialog);
const KeptDialog = lazyLayer(async () => (await import("./kept-dialog.tsx")).KeptDialog);
const LogOutDialog = lazyLayer(async () => (await import("../actions/log-out-dialog.tsx")).LogOutDialog);
const NoticesDialog = lazyLayer(async () => (await import("./notices-dialog.tsx")).NoticesDialog);
const RewrittenDialog = lazyLayer(async () => (await import("./rewritten-dialog.tsx")).RewrittenDialog);
const ShortcutsDialog = lazyLayer(async () => (await import("./shortcuts-dialog.tsx")).ShortcutsDialog);
const dialogs = {
  move: lazyLayer(async () => (await import("../actions/move-dialog.tsx")).MoveDialog),
  rename: lazyLayer(async () => (await import("../actions/rename-dialog.tsx")).RenameDialog),
  emoji: lazyLayer(async () => (await import("../actions/emoji-dialog.tsx")).EmojiDialog),
  tags: lazyLayer(async () => (await import("../actions/tags-dialog.tsx")).TagsDialog),
};
const close = (): void => openDialog(undefined);

/** Shows the dialog that is open, if any. Each is loaded when it is first opened. */
export function DialogHost(): ReactElement | null {
  const open = useSyncExternalStore(dialogStore.subscribe, dialogStore.read);
  return open === undefined ? null : elementOf(open);
}

function elementOf(open: NonNullable<ReturnType<typeof dialogStore.read>>): ReactElement {
  if (open.name === "create") return <CreateDialog title={open.title} onClose={close} />;
  if (open.name === "createCollection") return <CreateCollection onClose={close} />;
  if (open.name === "notices") return <NoticesDialog onClose={close} />;
  if (open.name === "kept") return <KeptDialog onClose={close} />;
  if (open.name === "rewritten") return <RewrittenDialog diff={open.diff} onClose={close} />;
  if (open.name === "shortcuts") return <ShortcutsDialog onClose={close} />;
  if (open.name === "logOut") return <LogOutDialog drafts={open.drafts} onClose={close} />;
  const DocumentDialog = dialogs[open.name];
  return <DocumentDialog target={open.target} onClose={close} />;
}
