import type { z } from "zod";
import { type ErrorDetail, ServiceError } from "./errors.ts";
import { requireBoundedInput } from "./input-size.ts";

// Bounds the response to an input with half a million mistakes.
const maxDetails = 100;
const maxPathLength = 200;

/** The error about a field that a schema does not name. */
export const unknownField = "Unknown field";

/**
 * Parses an input with its schema and reports errors in the words of the service.
 * @throws {ServiceError} `validation_error`
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  requireBoundedInput(raw);
  const parsed = schema.safeParse(raw, { error: wording });
  if (!parsed.success) throw inputError(parsed.error);
  return parsed.data;
}

/** Turns zod's issues into the details of the contract: one entry for each path and unknown key, at most 100. */
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
        ? issue.keys.slice(0, maxDetails).map((key) => detail([...issue.path, key], unknownField))
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
  Uint8Array: "bytes",
};

const formats: Readonly<Record<string, string>> = {
  guid: "a UUID",
  uuid: "a UUID",
  datetime: "a time with its zone, such as 2026-01-31T12:00:00Z (in an address, + is written %2B)",
};

/** The messages for issues for which a schema has no message of its own; undefined keeps zod's. */
export const wording: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "Required" : must(typeNames[issue.expected]);
    case "invalid_format":
      return must(formats[issue.format]);
    case "too_small":
      return atLeast(issue.origin, issue.minimum);
    case "too_big":
      return atMost(issue.origin, issue.maximum);
    case "not_multiple_of":
      return must(`a multiple of ${issue.divisor}`);
    case "invalid_union":
      return "options" in issue && Array.isArray(issue.options)
        ? must(oneOf(issue.options))
        : "None of the accepted forms";
    case "invalid_value":
      return must(oneOf(issue.values));
    default:
      return undefined;
  }
};

/** Texts and lists are counted, numbers are compared. */
const counted: Readonly<Record<string, string>> = { string: "characters", array: "entries", set: "entries" };

function atLeast(origin: string, minimum: number | bigint): string {
  const unit = counted[origin];
  if (unit === undefined) return `Must be at least ${minimum}`;
  return Number(minimum) === 1 ? "Must not be empty" : `At least ${minimum} ${unit}`;
}

function atMost(origin: string, maximum: number | bigint): string {
  const unit = counted[origin];
  return unit === undefined ? `Must be at most ${maximum}` : `At most ${maximum} ${unit}`;
}

function oneOf(values: readonly unknown[]): string {
  return `${values.length > 1 ? "one of " : ""}${values.map(String).join(", ")}`;
}

const must = (what: string | undefined): string | undefined => (what === undefined ? undefined : `Must be ${what}`);
