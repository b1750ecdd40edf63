import { type EditorState, PluginKey, type Transaction } from "prosemirror-state";
import type { DecorationSet } from "prosemirror-view";
import type { UploadStore } from "./upload-store.ts";

/** Actions of the page for uploads. */
export type UploadActions = {
  readonly documentId: string;
  readonly uploads: UploadStore;
  /** Asks for the description of the picture that is selected. */
  readonly editImage: () => void;
  /** Says that a part of the app could not be loaded. */
  readonly sayMissing: (error: unknown) => void;
};

/** A file on its way, and where it belongs. An element stands in its place: no one saves half a picture. */
export type PlacedUpload = {
  readonly id: string;
  readonly position: number;
  readonly element: HTMLElement;
};

/** Returns the files on their way after a change. */
export type UploadChange = (placed: readonly PlacedUpload[]) => readonly PlacedUpload[];
/** The files on their way, and the elements that are shown for them. */
export type Uploads = { readonly placed: readonly PlacedUpload[]; readonly shown: DecorationSet };

/** The key of the plugin that knows the files on their way. */
export const uploadKey = new PluginKey<Uploads>("uploads");
/** Returns the files on their way. */
export const placedUploads = (state: EditorState): readonly PlacedUpload[] => uploadKey.getState(state)?.placed ?? [];

/** Changes the files on their way, whose positions are those after the transaction. */
export const withUploads = (transaction: Transaction, change: UploadChange): Transaction =>
  transaction.setMeta(uploadKey, change);
