import type { z } from "zod";
import { type ErrorDetail, ServiceError } from "./errors.ts";

// An input with half a million mistakes must not be answered by a body of many megabytes.
const maxDetails = 100;
const maxPathLength = 200;

/**
 * Reads what a caller sent by its schema, in the service's words.
 * @throws {ServiceError} `validation_error`
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  const parsed = schema.safeParse(raw, { error: wording });
  if (!parsed.success) throw inputError(parsed.error);
  return parsed.data;
}

/** Turns zod's issues into the contract's details: a path a place, one entry for each unknown key, at most 100. */
export function inputError(error: z.ZodError): ServiceError {
  const details = [...firstDetails(error.issues)];
  const [first] = details;
  const summary =
    first === undefined ? "Invalid input" : `${first.path === "" ? "body" : first.path}: ${first.message}`;
  return new ServiceError("validation_error", summary, { details });
}

function* firstDetails(issues: z.ZodError["issues"]): Generator<ErrorDetail> {
  let count = 0;
  for (const issue of issues) {
    const entries =
      issue.code === "unrecognized_keys"
        ? issue.keys.slice(0, maxDetails).map((key) => detail([...issue.path, key], "Unknown field"))
        : [detail(issue.path, issue.message)];
    for (const entry of entries) {
      if (count === maxDetails) return;
      count += 1;
      yield entry;
    }
  }
}

function detail(path: readonly PropertyKey[], message: string): ErrorDetail {
  const whole = path.map(String).join(".");
  return { path: whole.length > maxPathLength ? `${whole.slice(0, maxPathLength)}…` : whole, message };
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number, such as 25",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const formats: Readonly<Record<string, string>> = {
  guid: "a UUID",
  uuid: "a UUID",
  datetime: "a time with its zone, such as 2026-01-31T12:00:00Z (in an address, + is written %2B)",
};

/** The service's words for what a schema has none of its own for; undefined leaves zod's. */
export const wording: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "Required" : must(typeNames[issue.expected]);
    case "invalid_format":
      return must(formats[issue.format]);
    case "too_small":
      return issue.origin === "number" ? must(`at least ${issue.minimum}`) : undefined;
    case "too_big":
      return issue.origin === "number" ? must(`at most ${issue.maximum}`) : undefined;
    case "invalid_value":
      return must(`${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`);
    default:
      return undefined;
  }
};

const must = (what: string | undefined): string | undefined => (what === undefined ? undefined : `Must be ${what}`);
