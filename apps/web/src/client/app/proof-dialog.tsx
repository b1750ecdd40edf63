import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useEffect, useEffectEvent, useState } from "react";
import { call } from "../api/call.ts";
import { operationQuery } from "../api/operation-query.ts";
import { bootQuery } from "../api/queries.ts";
import { EditDialog } from "../parts/form/edit-dialog.tsx";
import { ProofField, type ProofKind } from "../parts/form/proof-field.tsx";
import { useSubmit } from "../parts/form/use-submit.ts";
import { Loading } from "../parts/loading.tsx";
import { ModalDialog } from "../parts/modal-dialog.tsx";
import { boot } from "./boot.ts";
import { settingsWords } from "./settings-words.ts";
import { useWords } from "./words.tsx";

type ProofDialogProps = { readonly onProven: () => void; readonly onClose: () => void };

/** Asks for a code of the second step, else for the password. Another log-in always counts, too: some never use their password. */
export function ProofDialog(props: ProofDialogProps): ReactElement {
  const factor = useQuery(operationQuery("auth.secondFactor.info", {}));
  if (factor.data === undefined) {
    return (
      <ModalDialog title={settingsWords.proof.title} onClose={props.onClose}>
        <Loading query={factor} />
        <div className="buttons">
          <CancelButton onClose={props.onClose} />
        </div>
      </ModalDialog>
    );
  }
  const { proof } = factor.data;
  return proof === "none" ? <LogInDialog {...props} /> : <TypedProofDialog kind={proof} {...props} />;
}

function TypedProofDialog({ kind, onProven, onClose }: ProofDialogProps & { readonly kind: ProofKind }): ReactElement {
  const { proof: words } = settingsWords;
  const [typed, setTyped] = useState("");
  const submission = useSubmit(["proof"], async () => {
    await call("auth.prove", { proof: typed });
    onProven();
  });
  useLogInElsewhere(onProven);
  return (
    <EditDialog title={words.title} submission={submission} submitLabel={words.confirm} onClose={onClose}>
      <p>{words.text}</p>
      <ProofField kind={kind} name="proof" value={typed} onChange={setTyped} />
      <p>
        {words.orLogIn} <LogInLink />
      </p>
    </EditDialog>
  );
}

/** For somebody who has neither a password nor a second step. */
function LogInDialog({ onProven, onClose }: ProofDialogProps): ReactElement {
  const { proof: words } = settingsWords;
  useLogInElsewhere(onProven);
  return (
    <ModalDialog title={words.title} onClose={onClose}>
      <p>{words.logIn}</p>
      <div className="buttons">
        <CancelButton onClose={onClose} />
        <LogInLink className="button primary" />
      </div>
    </ModalDialog>
  );
}

function CancelButton({ onClose }: Pick<ProofDialogProps, "onClose">): ReactElement {
  const { messages } = useWords();
  return (
    <button type="button" className="button" onClick={onClose}>
      {messages.cancel}
    </button>
  );
}

function LogInLink({ className }: { readonly className?: string }): ReactElement {
  const { messages } = useWords();
  return (
    <a className={className} href="/login?return_to=/logged-in&other=1" target="_blank" rel="noreferrer">
      {messages.logInAgain}
    </a>
  );
}

/** Continues when the browser has another session of the same user. */
function useLogInElsewhere(onProven: () => void): void {
  const queries = useQueryClient();
  const [before] = useState(() => boot().app.csrfToken);
  const check = useEffectEvent(async () => {
    if (document.hidden) return;
    const { csrfToken } = await queries.fetchQuery({ ...bootQuery, staleTime: 0, retry: false });
    if (csrfToken !== before) onProven();
  });
  useEffect(() => {
    const look = (): void => void check().catch(() => {});
    addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
}
