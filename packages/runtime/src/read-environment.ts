import { z } from "zod";
import { isInsecureOrigin } from "./variable-types.ts";

/** Names the invalid variables, one per line. The message is written for a person at a terminal. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}

/**
 * Reads an app's environment by its schema. An empty variable counts as unset, as in a compose file.
 * @throws {EnvironmentError} that names every problem at once and shows no value, because some are secrets.
 */
export function readEnvironment<Schema extends z.ZodType>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const present = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== "");
  const parsed = schema.superRefine(requireSecureOrigin).safeParse(Object.fromEntries(present));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.map(String).join(".")}: ${issue.message}`);
  const where = "The file .env.example (env.example in a download) explains each variable.";
  throw new EnvironmentError(`The environment is invalid:\n${lines.join("\n")}\n${where}`);
}

const OriginVariables = z.looseObject({ APP_URL: z.string(), ALLOW_INSECURE_HTTP: z.boolean() }).partial();

/** Refuses an APP_URL to which passwords and keys would cross a network unencrypted, unless that is asked for. */
function requireSecureOrigin(variables: unknown, context: z.RefinementCtx): void {
  const { APP_URL, ALLOW_INSECURE_HTTP } = OriginVariables.safeParse(variables).data ?? {};
  // The schema of the variable has reported an APP_URL that is no address.
  if (APP_URL === undefined || !URL.canParse(APP_URL)) return;
  if (ALLOW_INSECURE_HTTP === true || !isInsecureOrigin(APP_URL)) return;
  const rule = "must be https; http only on this machine (localhost, 127.0.0.1, [::1])";
  const trial =
    "For a trial in a trusted network, ALLOW_INSECURE_HTTP=true sends passwords, keys and documents unencrypted";
  context.addIssue({ code: "custom", path: ["APP_URL"], message: `${rule}. ${trial}` });
}
