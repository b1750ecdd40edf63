import { type Actor, type Capability, carries, holds, type Scope, type Sealer } from "@kb/auth";
import type { Database, Reader, Tx } from "@kb/db";
import type { z } from "zod";
import type { Files } from "./attachments/files.ts";
import { ServiceError } from "./errors.ts";
import { type IdempotentCall, withIdempotency } from "./idempotency.ts";
import { parseInput } from "./input-error.ts";
import { Turns } from "./turns.ts";

/** What the operations stand on; one for the life of a process. */
export type Service = {
  readonly database: Database;
  readonly clock: { now(): Date };
  /** The public origin without a trailing slash; every `url` begins with it. */
  readonly appUrl: string;
  /** Where the bytes of attachments are; absent in a process that has no place for them. */
  readonly files?: Files | undefined;
  /** For the secrets that sign webhooks; absent where nobody manages webhooks, as on the command line. */
  readonly sealer?: Sealer | undefined;
};

/** What an edge knows of one call beside its input. */
export type Call = {
  /** The revisions that `If-Match` names; another current one is a failed precondition. Absent for no guard and for `*`. */
  readonly ifMatch?: readonly number[] | undefined;
  /** From `Idempotency-Key`. */
  readonly idempotency?: IdempotentCall | undefined;
  /** Where the call came from, for the audit log: the client's address and the id of its request. */
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  /** The CSRF token of the log-in by which the caller is known: what a page of ours sends back. */
  readonly csrfToken?: string | undefined;
};

/** Everything of the service that an operation works with, but for the database and the clock. */
type Common = Omit<Service, "database" | "clock"> & { readonly actor: Actor; readonly now: Date; readonly call: Call };

/** What a reading operation works with. `reader` is outside of any transaction. */
export type ReadContext = Common & { readonly reader: Reader; readonly database: Database };

/** What a changing operation works with: one transaction of one team. */
export type WriteContext = Common & { readonly tx: Tx };

type Definition<Input extends z.ZodType, Output extends z.ZodType> = {
  /** `documents.update`: the name in logs, events, OpenAPI and the access matrix. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly scope: Scope;
  /** What the user must hold for any call; finer rules are in the policy. */
  readonly capability: Capability | null;
  /** What people do in the app alone: an API key or an app's token is refused, whatever its scopes. */
  readonly sessionOnly?: boolean;
  readonly input: Input;
  readonly output: Output;
};

/** A verb of the service, written once; every edge is a table that points at it. */
export type Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> = Definition<
  Input,
  Output
> & {
  readonly perform: (service: Service, actor: Actor, call: Call, input: z.output<Input>) => Promise<unknown>;
};

const turns = new Turns();

/** Defines an operation that changes something: it runs in one transaction. `prepare` does slow and pure work before it opens. */
export function operation<Input extends z.ZodType, Output extends z.ZodType, Prepared = undefined>(
  definition: Definition<Input, Output> & {
    readonly prepare?: (input: z.output<Input>) => Prepared;
    /** The id of the one thing that the operation locks: those who change it take turns. */
    readonly turn?: (input: z.output<Input>) => string;
    readonly run: (context: WriteContext, input: z.output<Input>, prepared: Prepared) => Promise<z.input<Output>>;
  },
): Operation<Input, Output> {
  const { prepare, turn, run, ...rest } = definition;
  return {
    ...rest,
    perform: async (service, actor, call, input) => {
      const prepared = prepare?.(input) as Prepared;
      const change = (): Promise<unknown> =>
        service.database.transaction((tx) => {
          const { database: _, clock, ...rest } = service;
          const now = clock.now();
          const context = { ...rest, actor, now, call, tx };
          return withIdempotency(tx, actor, now, call.idempotency, () => run(context, input, prepared));
        });
      return turn === undefined ? change() : turns.take(`${actor.teamId}:${turn(input)}`, change);
    },
  };
}

/** Defines an operation that only reads. */
export function query<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Definition<Input, Output> & {
    readonly run: (context: ReadContext, input: z.output<Input>) => Promise<z.input<Output>>;
  },
): Operation<Input, Output> {
  const { run, ...rest } = definition;
  return {
    ...rest,
    perform: (service, actor, call, input) => {
      const { database, clock, ...rest } = service;
      return run({ ...rest, actor, now: clock.now(), call, reader: database, database }, input);
    },
  };
}

/**
 * The only way to run an operation: door, scope and capability, then the input, then the work, then the output, from which
 * whatever the contract does not name is stripped.
 * @throws {ServiceError} with a code of the contract; anything else is a defect.
 */
export async function invoke<Input extends z.ZodType, Output extends z.ZodType>(
  service: Service,
  target: Operation<Input, Output>,
  actor: Actor,
  raw: unknown,
  call: Call = {},
): Promise<z.output<Output>> {
  admit(actor, target);
  const input = parseInput(target.input, raw);
  const result = await target.perform(service, actor, call, input);
  return target.output.parse(result);
}

/**
 * The door alone: the kind of credential, its scope, the user's capability. For an edge that says so before it looks at the
 * input.
 * @throws {ServiceError} `insufficient_scope` or `forbidden`
 */
export function admit(actor: Actor, target: Pick<Operation, "sessionOnly" | "scope" | "capability">): void {
  requireSession(actor, target);
  requireScope(actor, target.scope);
  requireCapability(actor, target.capability);
}

function requireSession(actor: Actor, target: Pick<Operation, "sessionOnly">): void {
  const { kind } = actor.credential;
  if (target.sessionOnly !== true || kind === "session" || kind === "system") return;
  throw new ServiceError("forbidden", "This is done in the app, by a person who is logged in.");
}

function requireScope(actor: Actor, scope: Scope): void {
  if (carries(actor, scope)) return;
  throw new ServiceError("insufficient_scope", `This needs a credential with the \`${scope}\` scope.`);
}

function requireCapability(actor: Actor, capability: Capability | null): void {
  if (capability === null || holds(actor, capability)) return;
  throw new ServiceError("forbidden", `This needs the permission \`${capability}\`.`);
}
