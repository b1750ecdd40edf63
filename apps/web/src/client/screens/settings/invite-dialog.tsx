import { type ReactElement, useState } from "react";
import { localeChoices } from "../../../messages/index.ts";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { Failure } from "../../api/failure.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { useWords } from "../../app/words.tsx";
import { EditDialog } from "../../parts/form/edit-dialog.tsx";
import { SelectField, TextAreaField } from "../../parts/form/fields.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { GroupChoice } from "./group-choice.tsx";
import { readAddresses } from "./read-addresses.ts";

/** The invitations that were just made, with the addresses that belong to the team already. */
export type Invited = OutputOf<"invitations.create">;

type InviteDialogProps = { readonly onDone: (invited: Invited) => void; readonly onClose: () => void };

/** Asks for the addresses of people to invite, and their groups. */
export function InviteDialog({ onDone, onClose }: InviteDialogProps): ReactElement {
  const { invitations: words } = settingsWords;
  const { locale } = useWords();
  const invite = useChange("invitations.create");
  const [text, setText] = useState("");
  const [groupIds, setGroupIds] = useState<string[]>();
  const [language, setLanguage] = useState(locale);
  const submission = useSubmit(["emails", "groupIds", "language"], async () => {
    const emails = readAddresses(text);
    onDone(
      await invite.mutateAsync({ emails, groupIds, language }).catch((error: unknown) => throwNamed(error, emails)),
    );
  });
  return (
    <EditDialog title={words.invite} submission={submission} submitLabel={words.submit} onClose={onClose}>
      <TextAreaField
        name="emails"
        label={words.emails}
        help={words.emailsHelp}
        required
        rows={4}
        autoFocus
        spellCheck={false}
        value={text}
        onChange={setText}
      />
      <GroupChoice chosen={groupIds} onChange={setGroupIds} />
      <SelectField
        name="language"
        label={words.language}
        help={words.languageHelp}
        value={language}
        options={localeChoices}
        onChange={setLanguage}
      />
    </EditDialog>
  );
}

/** Throws a failure again; the address that was refused stands before the reason, since the field holds many. */
function throwNamed(error: unknown, emails: readonly string[]): never {
  if (!(error instanceof Failure)) throw error;
  const details = error.details.map((detail) => {
    const address = emails[Number(/^emails\.(\d+)$/.exec(detail.path)?.[1])];
    return address === undefined ? detail : { ...detail, message: `${address}: ${detail.message}` };
  });
  throw new Failure(error.status, { error: error.message, code: error.code, details });
}
