import type { ReactElement } from "react";
import type { OutputOf } from "../../api/contract.ts";
import { settingsWords } from "../../app/settings-words.ts";
import { TextField } from "./fields.tsx";

/** What somebody types to prove that it is them. */
export type ProofKind = Exclude<OutputOf<"auth.secondFactor.info">["proof"], "none">;

type CodeFieldProps = {
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

/** A field for the current password, for a code, or for a recovery code of somebody who has passkeys only. */
export function ProofField({ kind, ...props }: CodeFieldProps & { readonly kind: ProofKind }): ReactElement {
  const { secondFactor: words, passkeys } = settingsWords;
  if (kind === "code") return <CodeField {...props} />;
  if (kind === "passkey") {
    const { recoveryCode: label, recoveryCodeHelp: help } = passkeys;
    return <TextField {...props} autoComplete="off" required maxLength={40} label={label} help={help} />;
  }
  const attributes = { autoComplete: "current-password", required: true, maxLength: 1_024, autoFocus: true } as const;
  return <TextField {...props} {...attributes} type="password" label={words.password} />;
}

/** A field for a code of the app or a recovery code. */
export function CodeField(props: CodeFieldProps): ReactElement {
  const { secondFactor: words } = settingsWords;
  const attributes = { autoComplete: "one-time-code", required: true, maxLength: 40, autoFocus: true } as const;
  return <TextField {...props} {...attributes} label={words.code} help={words.codeHelp} />;
}
