import { isUuid } from "@kb/db";
import type { AuditDetails, AuditRecord } from "./entry.ts";

/** Fields whose values are words of ours: levels, scopes, names of permissions and of events. */
const wordFields = new Set(["level", "defaultAccess", "scopes", "capabilities", "events", "op"]);

/** Most entries of a list that are told. */
const maxListed = 50;

/** Names of an input's fields that say nothing of the change. */
const silentFields = new Set(["id", "expectedRevision"]);

/**
 * What the audit log will say of a change. The door fills it from the operation's name and input; an operation adds what
 * it knows better, and says when nothing was changed.
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

  /** Names the thing that was changed, where it is not the one that the operation is called for. */
  about(type: string, id: string): void {
    this.#target = { type, id };
  }

  /** Adds small facts; never content, never a secret. */
  note(details: AuditDetails): void {
    this.#details = { ...this.#details, ...details };
  }

  /** Nothing was changed: a change that changes nothing leaves no trace, here neither. */
  nothing(): void {
    this.#empty = true;
  }

  /** What there is to say once the operation has answered; null where nothing was changed. */
  finish(output: unknown): Pick<AuditRecord, "target" | "details"> | null {
    if (this.#empty) return null;
    const id = idIn(this.#input) ?? idIn(output) ?? idIn(field(output, this.#type));
    const fields = fieldNames(this.#input).filter((name) => !silentFields.has(name));
    return {
      target: this.#target ?? (id === undefined ? undefined : { type: this.#type, id }),
      details: { ...(fields.length === 0 ? {} : { fields }), ...factsIn(this.#input), ...this.#details },
    };
  }
}

/** `apiKeys.revoke` is about an `api_key`. */
export function targetType(operation: string): string {
  const [first = operation] = operation.split(".");
  return first.replace(/s$/, "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** The `id` that a value carries. */
export function idIn(value: unknown): string | undefined {
  const id = field(value, "id");
  return typeof id === "string" ? id : undefined;
}

function fieldNames(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, given]) => (given === undefined ? [] : [name]));
}

/** What may be told of an input by its form: ids, switches, and words of ours. Nothing that somebody wrote. */
function factsIn(input: unknown): AuditDetails {
  const facts: Record<string, string | boolean | readonly string[]> = {};
  if (typeof input !== "object" || input === null) return facts;
  for (const [name, value] of Object.entries(input)) {
    const tellable = (text: unknown): text is string =>
      typeof text === "string" && (wordFields.has(name) || isUuid(text));
    if (name === "id") continue;
    if (typeof value === "boolean" || tellable(value)) facts[name] = value;
    else if (Array.isArray(value) && value.length > 0 && value.every(tellable)) facts[name] = value.slice(0, maxListed);
  }
  return facts;
}
