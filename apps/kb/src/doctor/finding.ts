/** The result of a check. The message of a `warn` or a `fail` says how to fix it. */
export type Finding = { readonly name: string; readonly state: "ok" | "warn" | "fail"; readonly message: string };

export const ok = (name: string, message: string): Finding => ({ name, state: "ok", message });
export const warn = (name: string, message: string): Finding => ({ name, state: "warn", message });
export const fail = (name: string, message: string): Finding => ({ name, state: "fail", message });

/** Returns the message of an error. */
export const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? reason(error.cause) : reason(error);
}
