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
import type { PersonLayer } from "./person-layer.ts";
import { PasswordDialog } from "./person-password.tsx";
import type { Person } from "./person-row.tsx";

type PersonDialogProps = {
  readonly layer: PersonLayer;
  readonly onLayer: (layer: PersonLayer | undefined) => void;
};

/** The open dialog about a person of the team. */
export function PersonDialog({ layer, onLayer }: PersonDialogProps): ReactElement {
  const { people: words, invitations } = settingsWords;
  const suspend = useChange("users.suspend");
  const resetFactor = useChange("users.resetSecondFactor");
  const close = (): void => onLayer(undefined);
  const { person } = layer;
  const { id, name, email } = person;
  if (layer.name === "edit") return <EditPersonDialog person={person} onClose={close} />;
  if (layer.name === "password") return <PasswordDialog person={person} onLayer={onLayer} />;
  if (layer.name === "secret") {
    const title = words.passwordOf(name);
    return <SecretDialog title={title} label={words.password} secret={layer.secret} onClose={close} />;
  }
  if (layer.name === "link") {
    const texts = { title: invitations.linkOf(email), label: invitations.link, text: words.linkText };
    return <SecretDialog {...texts} secret={layer.secret} onClose={close} />;
  }
  if (layer.name === "factor") {
    return (
      <ConfirmAction
        title={words.resetFactorTitle(name)}
        text={words.resetFactorText}
        action={words.resetFactor}
        run={async () => {
          await resetFactor.mutateAsync({ id });
          notify({ text: words.factorReset(name) });
        }}
        onClose={close}
      />
    );
  }
  if (layer.name === "picture") return <RemovePicture person={person} onClose={close} />;
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

type OfPerson = { readonly person: Person; readonly onClose: () => void };

function RemovePicture({ person: { id, name }, onClose }: OfPerson): ReactElement {
  const { picture: words } = settingsWords;
  const remove = useChange("users.removePicture");
  return (
    <ConfirmAction
      title={words.removeTitle(name)}
      text={words.removeText}
      action={words.remove}
      run={async () => {
        await remove.mutateAsync({ id });
        notify({ text: words.removedOf(name) });
      }}
      onClose={onClose}
    />
  );
}

function EditPersonDialog({ person, onClose }: OfPerson): ReactElement {
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
