import { type ReactElement, useSyncExternalStore } from "react";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import type { UploadStore } from "./upload-store.ts";

const UploadRows = lazyLayer(async () => (await import("./upload-rows.tsx")).UploadRows);

/** Loads the list before somebody has a file. */
export const loadUploadRows = UploadRows.preload;

/** Lists the files that are not in the text yet. */
export function UploadList({ uploads }: { readonly uploads: UploadStore }): ReactElement | null {
  const count = useSyncExternalStore(uploads.subscribe, () => uploads.list.length);
  return count === 0 ? null : <UploadRows uploads={uploads} onClose={stay} />;
}

/** It closes with the last file. */
const stay = (): void => undefined;
