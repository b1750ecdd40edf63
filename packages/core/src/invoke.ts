import { type Caller, type Capability, carries, holds, type Scope } from "@kb/auth";
import type { z } from "zod";
import { noteDenial } from "./audit/denial.ts";
import { ServiceError } from "./errors.ts";
import { parseInput } from "./input-error.ts";
import { observed } from "./observed.ts";
import { type Call, channelReaderOf, type Door, type Operation, type Service, userOf } from "./operation.ts";

/**
 * The only way to run an operation: door, scope and capability, then the input, then the work, then the output, from which
 * whatever the contract does not name is stripped. A change is entered in the audit log with it, a refusal behind it.
 * @throws {ServiceError} with a code of the contract; anything else is a defect.
 */
export async function invoke<Input extends z.ZodType, Output extends z.ZodType>(
  service: Service,
  target: Operation<Input, Output>,
  caller: Caller,
  raw: unknown,
  call: Call = {},
): Promise<z.output<Output>> {
  return observed(service.telemetry, target.name, async () => {
    try {
      admit(caller, target);
      const input = parseInput(target.input, raw);
      const result = await target.perform(service, caller, call, input);
      return target.output.parse(result);
    } catch (error) {
      noteDenial(service, target.name, caller, raw, call, error);
      throw error;
    }
  });
}

/**
 * The door alone: the kind of caller and credential, its scope, the user's capability. For an edge that says so before it
 * looks at the input.
 * @throws {ServiceError} `authentication_required`, `insufficient_scope` or `forbidden`
 */
export function admit(caller: Caller, door: Door): void {
  if (door.caller === "channel") {
    channelReaderOf(caller);
    return;
  }
  const actor = userOf(caller);
  const { kind } = actor.credential;
  if (door.sessionOnly === true && kind !== "session" && kind !== "system") {
    throw new ServiceError("forbidden", "This is done in the app, by a person who is logged in.");
  }
  requireScope(carries(actor, door.scope), door.scope);
  requireCapability(door.capability === null || holds(actor, door.capability), door.capability);
}

function requireScope(carried: boolean, scope: Scope): void {
  if (carried) return;
  throw new ServiceError("insufficient_scope", `This needs a credential with the \`${scope}\` scope.`);
}

function requireCapability(held: boolean, capability: Capability | null): void {
  if (held) return;
  throw new ServiceError("forbidden", `This needs the permission \`${capability}\`.`);
}
