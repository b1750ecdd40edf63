import type { Actor, Caller } from "@kb/auth";
import type { z } from "zod";
import { type AccessRequirements, type Admission, callerKinds } from "./caller-kinds.ts";
import type { CallMetadata, ChannelContext, ReadContext, ReaderContext, Service, WriteContext } from "./context.ts";
import { ServiceError } from "./errors.ts";
import type { Answer } from "./final-change.ts";
import { KeyedQueue } from "./keyed-queue.ts";
import { prepareUntilFresh } from "./prepare-again.ts";
import { readerOnDisk } from "./reader-on-disk.ts";
import { runChange } from "./run-change.ts";

type Description<Input extends z.ZodType, Output extends z.ZodType> = {
  /** `documents.update`: the name in logs, events, OpenAPI, the audit log and the access matrix. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly input: Input;
  readonly output: Output;
};

type UserDescription<Input extends z.ZodType, Output extends z.ZodType> = Description<Input, Output> &
  AccessRequirements;

/** A verb of the service, written once. REST, MCP and the command line are tables that point at operations. */
export type Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> = Description<
  Input,
  Output
> &
  Admission & {
    /** Whether it may change something. Every call that did has an entry in the audit log. */
    readonly changes: boolean;
    /** Whether `reader` may be a read replica that has every change of the team. */
    readonly readsReplica?: true | undefined;
    /** Whether an expected caller is confirmed by the first round trip of the transaction, and not before it. */
    readonly confirmsInTransaction?: boolean;
    /** Whether `perform` takes the turn of its caller itself, after it has waited for another server. */
    readonly takesTurnLater?: true;
    /** Runs the operation. Only `invoke` calls it, after it has checked access and parsed the input. */
    readonly perform: (
      service: Service,
      caller: Caller,
      call: CallMetadata,
      input: z.output<Input>,
    ) => Promise<unknown>;
  };

/** The dependencies of `prepare`, which runs outside of any transaction. */
export type Preparation = {
  readonly service: Service;
  readonly actor: Actor;
  readonly call: CallMetadata;
  /** 0 at first; more after `run` has thrown `PrepareAgain`. */
  readonly attempt: number;
};

type Change<Input extends z.ZodType, Output extends z.ZodType, Prepared> = UserDescription<Input, Output> & {
  /** Does slow and pure work before the transaction opens. */
  readonly prepare: (input: z.output<Input>, preparation: Preparation) => Prepared | Promise<Prepared>;
  /**
   * Saves a round trip for callers that were seen before: they are confirmed in the transaction. Only for an operation whose
   * `prepare` does nothing that a revoked credential may not cause.
   */
  readonly confirmsInTransaction?: true;
  /** Returns the id of the one row that the operation locks. Calls with the same id run one after another. */
  readonly queueBy?: (input: z.output<Input>) => string;
  readonly run: (context: WriteContext, input: z.output<Input>, prepared: Prepared) => Promise<Answer<z.input<Output>>>;
};

type PlainChange<Input extends z.ZodType, Output extends z.ZodType> = Omit<
  Change<Input, Output, undefined>,
  "prepare"
> & { readonly prepare?: undefined };

const queue = new KeyedQueue();

/** Defines an operation by which a user changes something. It runs in one transaction, of which `run` may return the last change. */
export function operation<Input extends z.ZodType, Output extends z.ZodType, Prepared>(
  definition: Change<Input, Output, Prepared>,
): Operation<Input, Output>;
export function operation<Input extends z.ZodType, Output extends z.ZodType>(
  definition: PlainChange<Input, Output>,
): Operation<Input, Output>;
export function operation<Input extends z.ZodType, Output extends z.ZodType, Prepared>(
  definition: Change<Input, Output, Prepared> | PlainChange<Input, Output>,
): Operation<Input, Output> {
  const { prepare: _prepare, queueBy, run: _run, ...description } = definition;
  return {
    ...description,
    caller: "user",
    changes: true,
    perform: async (service, caller, call, input) => {
      const { actor } = callerKinds.user.context(caller);
      const change = () =>
        prepareUntilFresh(service, async (attempt) => {
          const run = await prepared(definition, input, { service, actor, call, attempt });
          const expected = definition.confirmsInTransaction === true ? call.expected : undefined;
          return runChange(service, { operation: description.name, actor, input, call, expected }, run);
        });
      return queueBy === undefined ? change() : queue.run(`${actor.teamId}:${queueBy(input)}`, change);
    },
  };
}

/** Does the work before the transaction and returns the work inside it. */
async function prepared<Input extends z.ZodType, Output extends z.ZodType, Prepared>(
  definition: Change<Input, Output, Prepared> | PlainChange<Input, Output>,
  input: z.output<Input>,
  preparation: Preparation,
): Promise<(context: WriteContext) => Promise<Answer<z.input<Output>>>> {
  if (definition.prepare === undefined) return (context) => definition.run(context, input, undefined);
  const ready = await definition.prepare(input, preparation);
  return (context) => definition.run(context, input, ready);
}

/** Defines an operation by which a user reads. */
export function query<Input extends z.ZodType, Output extends z.ZodType>(
  definition: UserDescription<Input, Output> & {
    /**
     * Lets it read from a replica, for heavy reads: light ones gain nothing, because each round trip asks the primary for the team's clock.
     * Every change of what it reads has to take a stamp of that clock.
     */
    readonly readsReplica?: true;
    readonly run: (context: ReadContext, input: z.output<Input>) => Promise<z.input<Output>>;
  },
): Operation<Input, Output> {
  const { run, ...description } = definition;
  return {
    ...description,
    caller: "user",
    changes: false,
    perform: async (service, caller, call, input) => {
      const { actor } = callerKinds.user.context(caller);
      const context = readerContext(service, call, actor.teamId);
      const { reader: primary, database } = context;
      // Another server may take over that lacks what this replica shows.
      const onReplica = () => readerOnDisk(database.replicaReader(primary, actor.teamId), database, actor.teamId);
      const reader = description.readsReplica === true ? onReplica() : primary;
      return run({ ...context, reader, actor }, input);
    },
  };
}

/** Defines an operation by which a reader of a channel reads that channel, and no other. */
export function channelQuery<Input extends z.ZodType<{ channelId: string }>, Output extends z.ZodType>(
  definition: Description<Input, Output> & {
    readonly run: (context: ChannelContext, input: z.output<Input>) => Promise<z.input<Output>>;
  },
): Operation<Input, Output> {
  const { run, ...description } = definition;
  return {
    ...description,
    caller: "channel",
    scope: "read",
    capability: null,
    changes: false,
    perform: async (service, caller, call, input) => {
      const { channel } = callerKinds.channel.context(caller);
      if (input.channelId !== channel.channelId) {
        throw new ServiceError("forbidden", "This token belongs to another channel.");
      }
      return run({ ...readerContext(service, call, channel.teamId), channel }, input);
    },
  };
}

function readerContext(
  { database, clock, ...dependencies }: Service,
  call: CallMetadata,
  teamId: string,
): ReaderContext {
  const reader = readerOnDisk(call.expected?.reader ?? database, database, teamId);
  return { ...dependencies, now: clock.now(), call, reader, database };
}
