import type { ReactElement } from "react";
import { PlaceDialog } from "./place-dialog.tsx";
import { useActions } from "./use-actions.ts";

type CreateDialogProps = { readonly title?: string | undefined; readonly onClose: () => void };

/** Asks where a new document goes, and creates it there. */
export function CreateDialog({ title, onClose }: CreateDialogProps): ReactElement {
  const { create } = useActions();
  return <PlaceDialog onPick={(place) => void create(place, title)} onClose={onClose} />;
}
