import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { EditDialog } from "../../parts/form/edit-dialog.tsx";
import { RadioField } from "../../parts/form/fields.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import type { PersonLayer } from "./person-layer.ts";
import type { Person } from "./person-row.tsx";

type Way = "link" | "now";

type PasswordDialogProps = {
  readonly person: Person;
  readonly onLayer: (layer: PersonLayer | undefined) => void;
};

/** Asks how somebody gets a new password: by a link with which they set it, or at once. */
export function PasswordDialog({ person, onLayer }: PasswordDialogProps): ReactElement {
  const { people: words } = settingsWords;
  const { id, name, email } = person;
  const createLink = useChange("users.createPasswordLink");
  const reset = useChange("users.resetPassword");
  const [way, setWay] = useState<Way>("link");
  const sendLink = async (): Promise<void> => {
    const { link } = await createLink.mutateAsync({ id });
    if (link === null) notify({ text: words.linkMailed(email) });
    onLayer(link === null ? undefined : { name: "link", person, secret: link });
  };
  const makePassword = async (): Promise<void> => {
    const { password } = await reset.mutateAsync({ id });
    onLayer(password === null ? undefined : { name: "secret", person, secret: password });
  };
  const submission = useSubmit([], way === "link" ? sendLink : makePassword);
  return (
    <EditDialog
      title={words.newPasswordOf(name)}
      submission={submission}
      submitLabel={words.submitPassword[way]}
      isAlarm={way === "now"}
      onClose={() => onLayer(undefined)}
    >
      <RadioField
        name="way"
        label={words.passwordWay}
        value={way}
        options={[
          { value: "link", label: words.sendLink, help: words.sendLinkHelp },
          { value: "now", label: words.makePassword, help: words.makePasswordHelp },
        ]}
        onChange={setWay}
      />
    </EditDialog>
  );
}
