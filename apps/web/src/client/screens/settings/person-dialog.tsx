import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { EditDialog } from "../../parts/form/edit-dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { SecretDialog } from "../../parts/form/secret-dialog.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { GroupChoice } from "./group-choice.tsx";
import type { Person } from "./person-row.tsx";

/** A dialog about somebody, or about somebody new; `secret` shows a password that was just made. */
export type PeopleLayer =
  | { readonly name: "invite" }
  | { readonly name: "edit" | "password" | "suspend"; readonly person: Person }
  | { readonly name: "secret"; readonly person: Person; readonly secret: string };

type PersonDialogProps = {
  readonly layer: PeopleLayer;
  readonly onLayer: (layer: PeopleLayer | undefined) => void;
};

/** The open dialog of the page about people. */
export function PersonDialog({ layer, onLayer }: PersonDialogProps): ReactElement {
  const { people: words } = settingsWords;
  const suspend = useChange("users.suspend");
  const reset = useChange("users.resetPassword");
  const close = (): void => onLayer(undefined);
  const showPassword = (made: { readonly user: Person; readonly password: string | null }): void =>
    onLayer(made.password === null ? undefined : { name: "secret", person: made.user, secret: made.password });
  if (layer.name === "invite") return <InviteDialog onDone={showPassword} onClose={close} />;
  const { person } = layer;
  const { id, name } = person;
  if (layer.name === "edit") return <EditPersonDialog person={person} onClose={close} />;
  if (layer.name === "secret") {
    const title = words.invitedTitle(name);
    return <SecretDialog title={title} label={words.password} secret={layer.secret} onClose={close} />;
  }
  if (layer.name === "password") {
    return (
      <ConfirmAction
        title={words.newPasswordTitle(name)}
        text={words.newPasswordText}
        action={words.newPassword}
        run={() => reset.mutateAsync({ id })}
        onDone={showPassword}
        onClose={close}
      />
    );
  }
  return (
    <ConfirmAction
      title={words.suspendTitle(name)}
      text={words.suspendText}
      action={words.suspend}
      run={async () => {
        await suspend.mutateAsync({ id });
        notify({ text: words.personSuspended(name) });
      }}
      onClose={close}
    />
  );
}

type InviteDialogProps = {
  readonly onDone: (made: { readonly user: Person; readonly password: string | null }) => void;
  readonly onClose: () => void;
};

function InviteDialog({ onDone, onClose }: InviteDialogProps): ReactElement {
  const { people: words } = settingsWords;
  const invite = useChange("users.invite");
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [groupIds, setGroupIds] = useState<string[]>();
  const submission = useSubmit(["email", "name", "groupIds"], async () =>
    onDone(await invite.mutateAsync({ email, groupIds, ...(name.trim() !== "" && { name }) })),
  );
  return (
    <EditDialog title={words.inviteTitle} submission={submission} submitLabel={words.submitInvite} onClose={onClose}>
      <p>{words.inviteHelp}</p>
      <TextField
        name="email"
        label={words.email}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        autoFocus
        value={email}
        onChange={setEmail}
      />
      <TextField
        name="name"
        label={words.name}
        help={words.nameHelp}
        maxLength={255}
        autoComplete="off"
        value={name}
        onChange={setName}
      />
      <GroupChoice chosen={groupIds} onChange={setGroupIds} />
    </EditDialog>
  );
}

function EditPersonDialog({
  person,
  onClose,
}: {
  readonly person: Person;
  readonly onClose: () => void;
}): ReactElement {
  const { people: words } = settingsWords;
  const update = useChange("users.update");
  const [name, setName] = useState(person.name);
  const [email, setEmail] = useState(person.email);
  const [groupIds, setGroupIds] = useState(person.groups.map(({ id }) => id));
  const submission = useSubmit(["name", "email", "groupIds"], async () => {
    await update.mutateAsync({ id: person.id, name, email, groupIds });
    notify({ text: words.personSaved(name) });
    onClose();
  });
  return (
    <EditDialog title={words.editTitle(person.name)} submission={submission} submitLabel={words.save} onClose={onClose}>
      <TextField name="name" label={words.name} required maxLength={255} value={name} onChange={setName} />
      <TextField
        name="email"
        label={words.email}
        type="email"
        required
        maxLength={254}
        value={email}
        onChange={setEmail}
      />
      <GroupChoice chosen={groupIds} onChange={setGroupIds} />
    </EditDialog>
  );
}
