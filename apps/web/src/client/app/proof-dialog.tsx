import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactElement, useEffect, useEffectEvent, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { call } from "../api/call.ts";
import { operationQuery } from "../api/operation-query.ts";
import { knowsPasskeys, passkeyProblemOf, proveByPasskey } from "../api/passkeys.ts";
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

/** Asks for a passkey or a code of the second step, else for the password. Another log-in always counts, too: some never use their password. */
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
  const { proof, passkeys } = factor.data;
  if (proof === "none") return <LogInDialog {...props} />;
  return <TypedProofDialog kind={proof} hasPasskey={passkeys > 0 && knowsPasskeys()} {...props} />;
}

type TypedProofProps = ProofDialogProps & { readonly kind: ProofKind; readonly hasPasskey: boolean };

function TypedProofDialog({ kind, hasPasskey, onProven, onClose }: TypedProofProps): ReactElement {
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
      {hasPasskey && <PasskeyProof onProven={onProven} />}
      <ProofField kind={kind} name="proof" value={typed} onChange={setTyped} />
      <p>
        {words.orLogIn} <LogInLink />
      </p>
    </EditDialog>
  );
}

/** Asks for a passkey. What is typed beside it stays. */
function PasskeyProof({ onProven }: Pick<ProofDialogProps, "onProven">): ReactElement {
  const { passkeys: words } = settingsWords;
  const { messages } = useWords();
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const ask = async (): Promise<void> => {
    setProblem(undefined);
    setAsking(true);
    try {
      await proveByPasskey();
      onProven();
    } catch (error) {
      setProblem(passkeyProblemOf(error) === undefined ? failureText(error, messages) : words.notUsed);
      setAsking(false);
    }
  };
  return (
    <>
      <button type="button" className="button" disabled={isAsking} onClick={() => void ask()}>
        {words.use}
      </button>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </>
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
