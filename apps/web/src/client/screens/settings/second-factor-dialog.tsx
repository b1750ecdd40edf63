import { type ReactElement, useState } from "react";
import { useChange } from "../../api/change.ts";
import type { OutputOf } from "../../api/contract.ts";
import { notify } from "../../app/notices.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { CopyField } from "../../parts/form/copy-field.tsx";
import { EditDialog } from "../../parts/form/edit-dialog.tsx";
import { TextField } from "../../parts/form/fields.tsx";
import { CodeField, ProofField } from "../../parts/form/proof-field.tsx";
import { SecretDialog } from "../../parts/form/secret-dialog.tsx";
import { useSubmit } from "../../parts/form/use-submit.ts";

type Enrolment = OutputOf<"auth.secondFactor.start">;
type Proof = OutputOf<"auth.secondFactor.info">["proof"];

/** A dialog about the second step: `prove` and `scan` set an app up, `codes` shows recovery codes that were just made. */
export type SecondFactorLayer =
  | { readonly name: "prove" }
  | { readonly name: "renew" }
  | { readonly name: "remove" }
  | { readonly name: "scan"; readonly enrolment: Enrolment }
  | { readonly name: "codes"; readonly recoveryCodes: readonly string[] };

type Layers = { readonly onLayer: (layer: SecondFactorLayer | undefined) => void };

/** The open dialog about the second step of the reader's log-in. */
export function SecondFactorDialog({
  layer,
  proof,
  onLayer,
}: Layers & { readonly layer: SecondFactorLayer; readonly proof: Proof }): ReactElement {
  if (layer.name === "prove") return <ProveDialog proof={proof} onLayer={onLayer} />;
  if (layer.name === "scan") return <ScanDialog enrolment={layer.enrolment} onLayer={onLayer} />;
  if (layer.name === "renew") return <RenewDialog proof={proof} onLayer={onLayer} />;
  if (layer.name === "remove") return <RemoveDialog onLayer={onLayer} />;
  return <RecoveryCodes codes={layer.recoveryCodes} onClose={() => onLayer(undefined)} />;
}

type RecoveryCodesProps = { readonly codes: readonly string[]; readonly onClose: () => void };

/** Shows recovery codes that were just made. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps): ReactElement {
  const { recoveryTitle: title, recoveryText: text, recoveryLabel: label } = settingsWords.secondFactor;
  return <SecretDialog title={title} text={text} label={label} secret={codes.join("\n")} onClose={onClose} />;
}

/** Asks for the password, or for a code of the present app. */
function ProveDialog({ proof, onLayer }: Layers & { readonly proof: Proof }): ReactElement {
  const { secondFactor: words } = settingsWords;
  const start = useChange("auth.secondFactor.start");
  const [typed, setTyped] = useState("");
  const submission = useSubmit(["proof"], async () => {
    onLayer({ name: "scan", enrolment: await start.mutateAsync({ proof: typed }) });
  });
  return (
    <EditDialog
      title={words.proveTitle}
      submission={submission}
      submitLabel={words.next}
      onClose={() => onLayer(undefined)}
    >
      {(proof === "code" || proof === "password") && (
        <ProofField kind={proof} name="proof" value={typed} onChange={setTyped} />
      )}
    </EditDialog>
  );
}

/** Shows the key of the new app, and asks for its first code. */
function ScanDialog({ enrolment, onLayer }: Layers & { readonly enrolment: Enrolment }): ReactElement {
  const { secondFactor: words } = settingsWords;
  const confirm = useChange("auth.secondFactor.confirm");
  const [code, setCode] = useState("");
  const submission = useSubmit(["code"], async () => {
    const { recoveryCodes } = await confirm.mutateAsync({ ticket: enrolment.ticket, code });
    onLayer({ name: "codes", recoveryCodes });
  });
  return (
    <EditDialog
      title={words.scanTitle}
      submission={submission}
      submitLabel={words.confirm}
      onClose={() => onLayer(undefined)}
    >
      <p>{words.scanText}</p>
      <p>{words.scanEnds}</p>
      <QrPicture code={enrolment.qrCode} />
      <CopyField label={words.key} text={enrolment.secret} />
      <TextField
        name="code"
        label={words.appCode}
        autoComplete="one-time-code"
        required
        maxLength={40}
        autoFocus
        value={code}
        onChange={setCode}
      />
    </EditDialog>
  );
}

function QrPicture({ code: { size, path } }: { readonly code: Enrolment["qrCode"] }): ReactElement {
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" shapeRendering="crispEdges">
      <title>{settingsWords.secondFactor.picture}</title>
      <path d={path} fill="currentColor" />
    </svg>
  );
}

/** Those who have passkeys only are asked for one instead of a code. */
function RenewDialog({ proof, onLayer }: Layers & { readonly proof: Proof }): ReactElement {
  const { secondFactor: words } = settingsWords;
  const renew = useChange("auth.secondFactor.renewCodes");
  const [code, setCode] = useState("");
  const submission = useSubmit(["code"], async () => {
    onLayer({ name: "codes", recoveryCodes: (await renew.mutateAsync({ code })).recoveryCodes });
  });
  return (
    <EditDialog
      title={words.newCodesTitle}
      submission={submission}
      submitLabel={words.newCodes}
      onClose={() => onLayer(undefined)}
    >
      <p>{words.newCodesText}</p>
      {proof === "code" && <CodeField name="code" value={code} onChange={setCode} />}
    </EditDialog>
  );
}

function RemoveDialog({ onLayer }: Layers): ReactElement {
  const { secondFactor: words } = settingsWords;
  const remove = useChange("auth.secondFactor.remove");
  const [code, setCode] = useState("");
  const submission = useSubmit(["code"], async () => {
    await remove.mutateAsync({ code });
    notify({ text: words.turnedOff });
    onLayer(undefined);
  });
  return (
    <EditDialog
      title={words.turnOffTitle}
      submission={submission}
      submitLabel={words.turnOff}
      isAlarm
      onClose={() => onLayer(undefined)}
    >
      <p>{words.turnOffText}</p>
      <CodeField name="code" value={code} onChange={setCode} />
    </EditDialog>
  );
}
