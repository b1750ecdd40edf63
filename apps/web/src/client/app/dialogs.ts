import type { Target } from "../actions/target.ts";

/** A dialog about a document, about a new one, about keys, about the last messages, about text kept on this device, about Markdown in another form, or about logging out. */
export type OpenDialog =
  | { readonly name: "move" | "rename" | "emoji" | "tags"; readonly target: Target }
  | { readonly name: "create"; readonly title?: string | undefined }
  | { readonly name: "createCollection" }
  | { readonly name: "shortcuts" }
  | { readonly name: "notices" }
  | { readonly name: "kept" }
  | { readonly name: "rewritten"; readonly diff: string }
  | { readonly name: "logOut"; readonly drafts: number };

let open: OpenDialog | undefined;
const listeners = new Set<() => void>();

/** Opens a dialog; undefined closes the one that is open. */
export function openDialog(dialog: OpenDialog | undefined): void {
  open = dialog;
  for (const listener of listeners) listener();
}

/** The dialog that is open, for `useSyncExternalStore`. */
export const dialogStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): OpenDialog | undefined => open,
};
