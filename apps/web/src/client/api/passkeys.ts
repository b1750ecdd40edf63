import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import { call } from "./call.ts";
import type { InputOf, OutputOf } from "./contract.ts";

/** Whether this browser knows passkeys here: they need https, except on this computer. */
export const knowsPasskeys = (): boolean => isSecureContext && "PublicKeyCredential" in window;

/** Why a browser gave no passkey: the reader or their device refused, or the device has one for this account already. */
export type PasskeyProblem = "refused" | "present";

/** Tells what a browser said that gave no passkey; undefined for any other error. */
export function passkeyProblemOf(error: unknown): PasskeyProblem | undefined {
  if (error instanceof WebAuthnError) {
    return error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED" ? "present" : "refused";
  }
  const names = ["AbortError", "NotAllowedError", "NotSupportedError", "SecurityError"];
  return error instanceof Error && names.includes(error.name) ? "refused" : undefined;
}

type CreationOptions = OutputOf<"auth.passkeys.start">["options"];

/** Has the browser make a passkey. @throws {Error} of which `passkeyProblemOf` tells the reason */
export async function createPasskey(options: CreationOptions): Promise<InputOf<"auth.passkeys.add">["credential"]> {
  const { id, response } = await startRegistration({ optionsJSON: asCreationOptions(options) });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, clientDataJSON, attestationObject, transports };
}

/** Confirms with a passkey that it is the reader. @throws {Error} of which `passkeyProblemOf` tells the reason */
export async function proveByPasskey(): Promise<void> {
  const { options } = await call("auth.passkeys.challenge", {});
  const { id, response } = await startAuthentication({ optionsJSON: asRequestOptions(options) });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  const passkey = { id, clientDataJSON, authenticatorData, signature, ...(userHandle !== undefined && { userHandle }) };
  await call("auth.prove", { passkey });
}

type Creation = Parameters<typeof startRegistration>[0]["optionsJSON"];
type Request = Parameters<typeof startAuthentication>[0]["optionsJSON"];

/** Narrows options that the service made with the same library. */
const asCreationOptions = (options: CreationOptions): Creation => options as Creation;

/** Narrows options that the service made with the same library. */
const asRequestOptions = (options: OutputOf<"auth.passkeys.challenge">["options"]): Request => options as Request;
