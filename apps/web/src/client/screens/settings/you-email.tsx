import { useQuery } from "@tanstack/react-query";
import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { operationQuery } from "../../api/operation-query.ts";
import { bootQuery } from "../../api/queries.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { ConfirmAction } from "../../parts/form/confirm-action.tsx";
import { EditDialog } from "../../parts/form/edit-dialog.tsx";
import { Facts } from "../../parts/form/facts.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";
import { Loading } from "../../parts/loading.tsx";
import { When } from "../../parts/when.tsx";
import { useAct } from "./use-act.ts";

/** The reader's e-mail address, with which they log in, and the change of it that waits for confirmations. */
export function EmailAddress(): ReactElement {
  const { email: words } = settingsWords;
  const { user } = useQuery(bootQuery).data;
  const waiting = useQuery(operationQuery("auth.emailChange.info", {}));
  const [isAsking, setAsking] = useState(false);
  return (
    <section>
      <h2>{words.title}</h2>
      <Facts facts={[[words.present, user.email]]} />
      {waiting.data === undefined && <Loading query={waiting} />}
      {waiting.data !== undefined && waiting.data.change !== null && <WaitingChange change={waiting.data.change} />}
      {waiting.data !== undefined && waiting.data.change === null && (
        <div className="buttons">
          <button type="button" className="button" onClick={() => setAsking(true)}>
            {words.change}
          </button>
        </div>
      )}
      {isAsking && <ChangeDialog onClose={() => setAsking(false)} />}
    </section>
  );
}

type Change = NonNullable<OutputOf<"auth.emailChange.info">["change"]>;

function WaitingChange({ change }: { readonly change: Change }): ReactElement {
  const { email: words } = settingsWords;
  const start = useChange("auth.emailChange.start");
  const cancel = useChange("auth.emailChange.cancel");
  const act = useAct();
  const [isCancelling, setCancelling] = useState(false);
  const { email, confirmed, mailed, expiresAt } = change;
  const state = (isConfirmed: boolean): string => (isConfirmed ? words.confirmed : words.open);
  return (
    <>
      <Facts
        facts={[
          [words.next, email],
          [words.oldMailbox, state(confirmed.old)],
          [words.newMailbox, state(confirmed.new)],
          [words.until, <When key="until" time={expiresAt} />],
        ]}
      />
      <p className="quiet">{mailed ? words.waiting : words.handedOver}</p>
      <div className="buttons">
        <button type="button" className="button" onClick={() => act(() => start.mutateAsync({ email }), words.sent)}>
          {mailed ? words.again : words.longer}
        </button>
        <button type="button" className="button" onClick={() => setCancelling(true)}>
          {words.cancel}
        </button>
      </div>
      {isCancelling && (
        <ConfirmAction
          title={words.cancelTitle}
          text={words.cancelText}
          action={words.cancel}
          run={async () => {
            await cancel.mutateAsync({});
            notify({ text: words.cancelled });
          }}
          onClose={() => setCancelling(false)}
        />
      )}
    </>
  );
}

function ChangeDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const { email: words } = settingsWords;
  const start = useChange("auth.emailChange.start");
  const [email, setEmail] = useState("");
  const submission = useSubmit(["email"], async () => {
    await start.mutateAsync({ email });
    onClose();
  });
  return (
    <EditDialog title={words.change} submission={submission} submitLabel={words.submit} onClose={onClose}>
      <p>{words.changeText}</p>
      <TextField
        name="email"
        type="email"
        label={words.next}
        autoComplete="email"
        required
        maxLength={254}
        autoFocus
        value={email}
        onChange={setEmail}
      />
    </EditDialog>
  );
}
