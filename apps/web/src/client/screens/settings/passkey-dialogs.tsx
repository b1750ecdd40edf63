import { type ReactElement, useState } from "react";
import { call } from "../../api/call.ts";
import { useChange } from "../../api/change.ts";
import { createPasskey, passkeyProblemOf } from "../../api/passkeys.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { EditDialog } from "../../parts/form/edit-dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";

type AddPasskeyDialogProps = {
  readonly onAdded: (recoveryCodes: readonly string[] | null) => void;
  readonly onClose: () => void;
};

/** Asks for a name, and has the browser make a passkey. */
export function AddPasskeyDialog({ onAdded, onClose }: AddPasskeyDialogProps): ReactElement {
  const { passkeys: words } = settingsWords;
  const add = useChange("auth.passkeys.add");
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const submission = useSubmit(["name"], async () => {
    setProblem(undefined);
    const { options } = await call("auth.passkeys.start", {});
    try {
      const credential = await createPasskey(options);
      onAdded((await add.mutateAsync({ name, credential })).recoveryCodes);
    } catch (error) {
      const reason = passkeyProblemOf(error);
      if (reason === undefined) throw error;
      setProblem(reason === "present" ? words.present : words.cancelled);
    }
  });
  return (
    <EditDialog title={words.add} submission={submission} submitLabel={words.next} onClose={onClose}>
      <p>{words.addText}</p>
      <PasskeyNameField name={name} onName={setName} />
      {problem !== undefined && <p role="alert">{problem}</p>}
    </EditDialog>
  );
}

type RenamePasskeyDialogProps = {
  readonly passkey: { readonly id: string; readonly name: string };
  readonly onClose: () => void;
};

/** Gives a passkey another name. */
export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps): ReactElement {
  const { passkeys: words } = settingsWords;
  const rename = useChange("auth.passkeys.rename");
  const [name, setName] = useState(passkey.name);
  const submission = useSubmit(["name"], async () => {
    await rename.mutateAsync({ id: passkey.id, name });
    onClose();
  });
  return (
    <EditDialog title={words.renameTitle} submission={submission} submitLabel={words.saveName} onClose={onClose}>
      <PasskeyNameField name={name} onName={setName} />
    </EditDialog>
  );
}

type PasskeyNameFieldProps = { readonly name: string; readonly onName: (name: string) => void };

function PasskeyNameField({ name, onName }: PasskeyNameFieldProps): ReactElement {
  const { passkeys: words } = settingsWords;
  return (
    <TextField
      name="name"
      label={words.name}
      help={words.nameHelp}
      autoComplete="off"
      required
      maxLength={100}
      autoFocus
      value={name}
      onChange={onName}
    />
  );
}
