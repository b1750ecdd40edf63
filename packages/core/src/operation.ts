import {
  type Actor,
  type Caller,
  type Capability,
  type ChannelReader,
  isChannelReader,
  type Scope,
  type Sealer,
} from "@kb/auth";
import type { Database, Reader, Tx } from "@kb/db";
import type { Telemetry } from "@kb/telemetry";
import type { z } from "zod";
import type { AppAuthorization } from "./apps/app-authorization.ts";
import type { Files } from "./attachments/files.ts";
import { auditSubject } from "./audit/denial.ts";
import { AuditDraft } from "./audit/draft.ts";
import { ServiceError } from "./errors.ts";
import { type IdempotentCall, withIdempotency } from "./idempotency.ts";
import { withOutbox } from "./outbox.ts";
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
  /** For the codes of apps; absent where no app is allowed. */
  readonly oauth?: AppAuthorization | undefined;
  /** Where operations are told; absent where nobody asks. */
  readonly telemetry?: Telemetry | undefined;
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
type Common = Omit<Service, "database" | "clock"> & { readonly now: Date; readonly call: Call };

/** `reader` is outside of any transaction. */
type Reading = Common & { readonly reader: Reader; readonly database: Database };

/** What a reading operation works with. */
export type ReadContext = Reading & { readonly actor: Actor };

/** What an operation for the readers of a channel works with. */
type ChannelContext = Reading & { readonly channel: ChannelReader };

/** What a changing operation works with: one transaction of one team. */
export type WriteContext = Common & {
  readonly actor: Actor;
  readonly tx: Tx;
  /** What the audit log will say of the change; the door fills and writes it, an operation adds what it knows better. */
  readonly audit: AuditDraft;
};

type Described<Input extends z.ZodType, Output extends z.ZodType> = {
  /** `documents.update`: the name in logs, events, OpenAPI, the audit log and the access matrix. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly input: Input;
  readonly output: Output;
};

/** Who may call an operation at all. */
export type Door = {
  /** Users by their own credentials, or the readers of a channel by a token of it. */
  readonly caller: "user" | "channel";
  readonly scope: Scope;
  /** What the user must hold for any call; finer rules are in the policy. */
  readonly capability: Capability | null;
  /** What people do in the app alone: an API key or an app's token is refused, whatever its scopes. */
  readonly sessionOnly?: boolean;
};

type Definition<Input extends z.ZodType, Output extends z.ZodType> = Described<Input, Output> & Omit<Door, "caller">;

/** A verb of the service, written once; every edge is a table that points at it. */
export type Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> = Described<
  Input,
  Output
> &
  Door & {
    /** Whether it may change something: each call that did is in the audit log. */
    readonly changes: boolean;
    readonly perform: (service: Service, caller: Caller, call: Call, input: z.output<Input>) => Promise<unknown>;
  };

const turns = new Turns();

/** What `prepare` may look at: the whole service, outside of any transaction. */
type Before = { readonly service: Service; readonly actor: Actor; readonly call: Call };

type Change<Input extends z.ZodType, Output extends z.ZodType, Prepared> = Definition<Input, Output> & {
  readonly prepare: (input: z.output<Input>, about: Before) => Prepared | Promise<Prepared>;
  /** The id of the one thing that the operation locks: those who change it take turns. */
  readonly turn?: (input: z.output<Input>) => string;
  readonly run: (context: WriteContext, input: z.output<Input>, prepared: Prepared) => Promise<z.input<Output>>;
};

type PlainChange<Input extends z.ZodType, Output extends z.ZodType> = Omit<
  Change<Input, Output, undefined>,
  "prepare"
> & { readonly prepare?: undefined };

/** Defines an operation that changes something: it runs in one transaction. `prepare` does slow and pure work before it opens. */
export function operation<Input extends z.ZodType, Output extends z.ZodType, Prepared>(
  definition: Change<Input, Output, Prepared>,
): Operation<Input, Output>;
export function operation<Input extends z.ZodType, Output extends z.ZodType>(
  definition: PlainChange<Input, Output>,
): Operation<Input, Output>;
export function operation<Input extends z.ZodType, Output extends z.ZodType, Prepared>(
  definition: Change<Input, Output, Prepared> | PlainChange<Input, Output>,
): Operation<Input, Output> {
  const { prepare: _prepare, turn, run: _run, ...rest } = definition;
  return {
    ...rest,
    caller: "user",
    changes: true,
    perform: async (service, caller, call, input) => {
      const actor = userOf(caller);
      const run = await prepared(definition, input, { service, actor, call });
      const change = (): Promise<unknown> => inTransaction(service, actor, { name: rest.name, input, call }, run);
      return turn === undefined ? change() : turns.take(`${actor.teamId}:${turn(input)}`, change);
    },
  };
}

/** Does what comes before the transaction; gives what goes into it. */
async function prepared<Input extends z.ZodType, Output extends z.ZodType, Prepared>(
  definition: Change<Input, Output, Prepared> | PlainChange<Input, Output>,
  input: z.output<Input>,
  before: Before,
): Promise<(context: WriteContext) => Promise<z.input<Output>>> {
  if (definition.prepare === undefined) return (context) => definition.run(context, input, undefined);
  const ready = await definition.prepare(input, before);
  return (context) => definition.run(context, input, ready);
}

/** What a change is called, and what it was asked. */
type About = { readonly name: string; readonly input: unknown; readonly call: Call };

/** The change, its events and its entry in the audit log: all of them or none. */
function audited<T>(
  { database: _, clock, ...rest }: Service,
  actor: Actor,
  { name, input, call }: About,
  tx: Tx,
  run: (context: WriteContext) => Promise<T>,
): Promise<T> {
  const now = clock.now();
  const audit = new AuditDraft(name, input);
  const { address, requestId } = call;
  return withOutbox(
    tx,
    () => run({ ...rest, actor, now, call, tx, audit }),
    (output) => {
      const told = audit.finish(output);
      if (told === null) return null;
      return { ...auditSubject(actor), ...told, at: now, action: name, outcome: "success", address, requestId };
    },
  );
}

/** The change, once for each `Idempotency-Key`, whose stored answer is part of it. */
function inTransaction(
  service: Service,
  actor: Actor,
  about: About,
  run: (context: WriteContext) => Promise<unknown>,
): Promise<unknown> {
  const { idempotency } = about.call;
  return service.database.transaction((tx) =>
    withIdempotency(tx, actor, service.clock.now(), idempotency, () => audited(service, actor, about, tx, run)),
  );
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
    caller: "user",
    changes: false,
    perform: async (service, caller, call, input) => run({ ...reading(service, call), actor: userOf(caller) }, input),
  };
}

/** Defines an operation by which the reader of a channel reads that channel, and no other. */
export function channelQuery<Input extends z.ZodType<{ channelId: string }>, Output extends z.ZodType>(
  definition: Described<Input, Output> & {
    readonly run: (context: ChannelContext, input: z.output<Input>) => Promise<z.input<Output>>;
  },
): Operation<Input, Output> {
  const { run, ...rest } = definition;
  return {
    ...rest,
    caller: "channel",
    scope: "read",
    capability: null,
    changes: false,
    perform: async (service, caller, call, input) => {
      const channel = channelReaderOf(caller);
      if (input.channelId !== channel.channelId) {
        throw new ServiceError("forbidden", "This token is for another channel.");
      }
      return run({ ...reading(service, call), channel }, input);
    },
  };
}

function reading({ database, clock, ...rest }: Service, call: Call): Reading {
  return { ...rest, now: clock.now(), call, reader: database, database };
}

/** @throws {ServiceError} `authentication_required` for the reader of a channel. */
export function userOf(caller: Caller): Actor {
  if (!isChannelReader(caller)) return caller;
  throw new ServiceError("authentication_required", "A channel's token opens its published documents alone.");
}

/** @throws {ServiceError} `authentication_required` for a user. */
export function channelReaderOf(caller: Caller): ChannelReader {
  if (isChannelReader(caller)) return caller;
  throw new ServiceError("authentication_required", "Published documents are read by a token of their channel.");
}
