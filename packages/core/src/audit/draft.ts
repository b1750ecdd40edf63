import { isUuid } from "@kb/db";
import type { AuditDetails, AuditRecord } from "./entry.ts";

/** Fields whose values come from a fixed vocabulary: levels, scopes, and names of permissions and events. */
const wordFields = new Set(["level", "defaultAccess", "scopes", "capabilities", "events", "op"]);

/** At most this many entries of a list are recorded. */
const maxListed = 50;

/** Input fields that do not describe the change. */
const ignoredFields = new Set(["id", "expectedRevision", "return"]);

/**
 * The entry of the audit log for a change. `operation` fills it from the operation's name and input; the operation adds
 * facts that only it knows, and says when nothing has changed.
 */
export class AuditDraft {
  readonly #type: string;
  readonly #input: unknown;
  #target: AuditRecord["target"];
  #details: AuditDetails = {};
  #empty = false;

  constructor(operation: string, input: unknown) {
    this.#type = targetType(operation);
    this.#input = input;
  }

  /** Names the thing that was changed, if it is not the one that the input names. */
  setTarget(type: string, id: string): void {
    this.#target = { type, id };
  }

  /** Adds small facts, never content or secrets. */
  addDetails(details: AuditDetails): void {
    this.#details = { ...this.#details, ...details };
  }

  /** Marks the call as one that changed nothing, which leaves no entry. */
  unchanged(): void {
    this.#empty = true;
  }

  /** Returns the entry once, by the output of the operation; null after that, and when nothing has changed. */
  finish(output: unknown): Pick<AuditRecord, "target" | "details"> | null {
    if (this.#empty) return null;
    this.#empty = true;
    const id = idIn(this.#input) ?? idIn(output) ?? idIn(field(output, this.#type));
    const fields = fieldNames(this.#input).filter((name) => !ignoredFields.has(name));
    return {
      target: this.#target ?? (id === undefined ? undefined : { type: this.#type, id }),
      details: { ...(fields.length === 0 ? {} : { fields }), ...factsIn(this.#input), ...this.#details },
    };
  }
}

/** Returns the type of thing that an operation changes: `api_key` for `apiKeys.revoke` and `admin.apiKeys.create`. */
export function targetType(operation: string): string {
  const [first = operation] = operation.replace(/^admin\./, "").split(".");
  return first.replace(/s$/, "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** Returns the `id` field of a value. */
export function idIn(value: unknown): string | undefined {
  const id = field(value, "id");
  return typeof id === "string" ? id : undefined;
}

function fieldNames(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, given]) => (given === undefined ? [] : [name]));
}

/**
 * Returns the facts of an input that are safe to record: ids, booleans, and words of a fixed vocabulary. Skips
 * everything that a person wrote.
 */
function factsIn(input: unknown): AuditDetails {
  const facts: Record<string, string | boolean | readonly string[]> = {};
  if (typeof input !== "object" || input === null) return facts;
  for (const [name, value] of Object.entries(input)) {
    const isRecordable = (text: unknown): text is string =>
      typeof text === "string" && (wordFields.has(name) || isUuid(text));
    if (name === "id") continue;
    if (typeof value === "boolean" || isRecordable(value)) facts[name] = value;
    else if (Array.isArray(value) && value.length > 0 && value.every(isRecordable))
      facts[name] = value.slice(0, maxListed);
  }
  return facts;
}
