import type { Caller } from "@kb/auth";
import { metered, takeTurn } from "@kb/telemetry";
import type { z } from "zod";
import { recordDenial } from "./audit/record-denial.ts";
import { CallerChangedError } from "./caller-changed-error.ts";
import { type Admission, callerKinds } from "./caller-kinds.ts";
import type { CallMetadata, Service } from "./context.ts";
import { parseInput } from "./input-error.ts";
import { observeOperation } from "./observe-operation.ts";
import type { Operation } from "./operation.ts";
import { requireFreshProof } from "./sessions/require-fresh-proof.ts";

/**
 * Runs an operation; the only way to do so. It checks access, parses the input, does the work, and parses the output,
 * which strips every field that the contract does not name. The audit log records changes and refused calls.
 * @throws {ServiceError} with a code of the contract
 * @throws {CallerChangedError} only for a call with an expected caller; anything else is a defect
 */
export async function invoke<Input extends z.ZodType, Output extends z.ZodType>(
  service: Service,
  operation: Operation<Input, Output>,
  caller: Caller,
  raw: unknown,
  call: CallMetadata = {},
): Promise<z.output<Output>> {
  return observeOperation(service.telemetry, operation.name, async () => {
    try {
      if (operation.changes && operation.confirmsInTransaction !== true) await requireConfirmed(caller, call);
      requireAdmission(caller, operation);
      if (operation.freshProof === true) requireFreshProof(callerKinds.user.require(caller), service.clock.now());
      const input = metered(() => parseInput(operation.input, raw));
      // Here nothing is held yet that others wait for: no connection, no lock, no place in the queue of a document.
      const endTurn = operation.takesTurnLater === true ? undefined : await takeTurn("begin");
      const result = await operation.perform(service, caller, call, input).finally(endTurn);
      await requireConfirmed(caller, call);
      return metered(() => operation.output.parse(result));
    } catch (error) {
      await requireConfirmed(caller, call);
      recordDenial(service, operation.name, caller, raw, call, error);
      throw error;
    }
  });
}

/** @throws {CallerChangedError} unless the credential still belongs to the caller */
async function requireConfirmed(caller: Caller, { expected }: CallMetadata): Promise<void> {
  if (expected !== undefined && (await expected.confirm()) !== caller) throw new CallerChangedError();
}

/**
 * Refuses a caller that may not call the operation at all, whatever its input: by the kind of caller, the credential, its
 * scope and the user's capability.
 * @throws {ServiceError} `authentication_required`, `insufficient_scope` or `forbidden`.
 */
export function requireAdmission(caller: Caller, admission: Admission): void {
  callerKinds[admission.caller].admit(caller, admission);
}
