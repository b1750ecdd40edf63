import { ServiceError } from "@kb/core/errors";
import { DatabaseUnavailableError } from "@kb/db";
import { SourceError } from "@kb/importer/source-error";
import { EnvironmentError } from "@kb/runtime";

/** A problem that the user of the command can fix; the message says how. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  /** Stable, for scripts. */
  readonly code: string;

  constructor(code: string, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** The description of a failure for the user or a script. */
export type Failure = { error: string; code: string };

/** Describes any error for a terminal. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommandError || error instanceof SourceError) return { error: error.message, code: error.code };
  if (error instanceof ServiceError) return { error: describeServiceError(error), code: error.code };
  if (error instanceof EnvironmentError) return { error: error.message, code: "invalid_environment" };
  if (error instanceof DatabaseUnavailableError) {
    return { error: "PostgreSQL does not respond. Run `kb doctor` to find out why.", code: "unavailable" };
  }
  return { error: error instanceof Error ? error.message : String(error), code: "internal_error" };
}

/** Options whose names differ from their fields. */
const optionOf: Readonly<Record<string, string>> = {
  expiresAt: "expires",
  restrictions: "restrict",
  emails: "email",
  groupIds: "group",
  collectionIds: "collection",
  tagIds: "tag",
};

/** Returns the message, with an invalid field named as its option. */
function describeServiceError({ code, message, details }: ServiceError): string {
  const [first] = details ?? [];
  if (code !== "validation_error" || first === undefined || first.path === "") return message;
  const [field = "", ...inside] = first.path.split(".");
  const option = (optionOf[field] ?? field).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const [place = ""] = inside;
  // The place in a list, counted as people count.
  if (/^\d+$/.test(place)) return `--${option}, value ${Number(place) + 1}: ${first.message}`;
  return [`--${option}`, ...(inside.length === 0 ? [] : [inside.join(".")]), first.message].join(": ");
}
