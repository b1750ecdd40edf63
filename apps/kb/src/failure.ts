import { ServiceError } from "@kb/core";
import { DatabaseUnavailableError } from "@kb/db";
import { EnvironmentError } from "@kb/http";

/** Something that the person who typed the command can mend; the message says how. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** Stable, for scripts. */
  readonly code: string;

  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** What a failure looks like to the person or the script that ran the command. */
export type Failure = { error: string; code: string };

/** Puts any error in words for a terminal. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommandError) return { error: error.message, code: error.code };
  if (error instanceof ServiceError) return { error: inOptions(error), code: error.code };
  if (error instanceof EnvironmentError) return { error: error.message, code: "invalid_environment" };
  if (error instanceof DatabaseUnavailableError) {
    return { error: "PostgreSQL does not answer; `kb doctor` says what is wrong.", code: "unavailable" };
  }
  return { error: error instanceof Error ? error.message : String(error), code: "internal_error" };
}

/** Fields that an option gives under another name than its own. */
const optionOf: Readonly<Record<string, string>> = {
  expiresAt: "expires",
  restrictions: "restrict",
  groupIds: "group",
  collectionIds: "collection",
  tagIds: "tag",
};

/** An invalid field is named as the option that gave it. */
function inOptions({ code, message, details }: ServiceError): string {
  const [first] = details ?? [];
  if (code !== "validation_error" || first === undefined || first.path === "") return message;
  const [field = "", ...inside] = first.path.split(".");
  const option = (optionOf[field] ?? field).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [`--${option}`, ...(inside.length === 0 ? [] : [inside.join(".")]), first.message].join(": ");
}
