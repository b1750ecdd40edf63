import {
  type Actor,
  admit,
  type Call,
  type Door,
  invoke,
  type Operation,
  parseInput,
  type Service,
  ServiceError,
} from "@kb/core";
import type { Outgoing } from "@kb/outgoing";
import type { z } from "zod";

/** Whoever calls a tool, through which credential, and what the edge knows of the call. */
export type Caller = { readonly actor: Actor; readonly call?: Call };

/** What a call of a tool stands on; without `outgoing`, nothing is fetched. */
export type ToolContext = Caller & { readonly service: Service; readonly outgoing: Outgoing | undefined };

/** What a tool does to the team's documents: the annotations that clients show before they let it run. */
export const effects = {
  reads: { readOnlyHint: true, idempotentHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  sets: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  rewrites: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  restores: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
} as const;

/** A row of the table that assistants see. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: keyof typeof effects;
  readonly scope: Operation["scope"];
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Runs a call and gives `structuredContent`. @throws {ServiceError} */
  readonly run: (context: ToolContext, raw: unknown) => Promise<Record<string, unknown>>;
};

type Row<Input extends z.ZodType, Asked extends z.ZodType, Told extends z.ZodType, Output extends z.ZodType> = Pick<
  Tool,
  "name" | "title" | "description" | "effect"
> & {
  /** The operation that does it. The tool only narrows. */
  readonly operation: Operation<Asked, Told>;
  readonly input: Input;
  readonly output: Output;
  /** The operation's input, from the tool's. @throws {ServiceError} */
  readonly request: (input: z.output<Input>) => z.input<Asked>;
  /** The tool's answer, from the operation's. */
  readonly reply: (result: z.output<Told>, input: z.output<Input>) => z.input<Output> & Record<string, unknown>;
};

/** Points a tool at an operation: what is asked goes through the one door, as it does for every other edge. */
export function tool<
  Input extends z.ZodType,
  Asked extends z.ZodType,
  Told extends z.ZodType,
  Output extends z.ZodType,
>(row: Row<Input, Asked, Told, Output>): Tool {
  const { operation, request, reply, ...rest } = row;
  return {
    ...rest,
    scope: operation.scope,
    async run({ service, actor, call }, raw) {
      const input = readInput(actor, operation, row.input, raw);
      return reply(await invoke(service, operation, actor, request(input), call), input);
    },
  };
}

/**
 * Reads a tool's parameters. Who may not come in at all is told so, rather than what is wrong with the parameters.
 * @throws {ServiceError}
 */
export function readInput<Input extends z.ZodType>(
  actor: Actor,
  operation: Door,
  input: Input,
  raw: unknown,
): z.output<Input> {
  try {
    return parseInput(input, raw ?? {});
  } catch (error) {
    if (error instanceof ServiceError) admit(actor, operation);
    throw error;
  }
}
