import type { ReactElement, ReactNode } from "react";
import { ModalDialog } from "../modal-dialog.tsx";
import { Form } from "./form.tsx";
import type { Submission } from "./use-submit.ts";

type EditDialogProps = {
  readonly title: string;
  readonly submission: Submission;
  readonly submitLabel: string;
  readonly isAlarm?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** A form in a dialog: what is typed stays while saving fails. */
export function EditDialog({ title, onClose, children, ...form }: EditDialogProps): ReactElement {
  return (
    <ModalDialog title={title} onClose={onClose}>
      <Form {...form} onCancel={onClose}>
        {children}
      </Form>
    </ModalDialog>
  );
}
