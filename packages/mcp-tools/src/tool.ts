import {
  type Actor,
  type Admission,
  type CallMetadata,
  type ErrorDetail,
  invoke,
  type Operation,
  parseInput,
  requireAdmission,
  type Service,
  ServiceError,
  unknownField,
} from "@kb/core";
import type { Outgoing } from "@kb/outgoing";
import { z } from "zod";

/** The caller of a tool, and the metadata of the call that the edge knows. */
export type Caller = { readonly actor: Actor; readonly call?: CallMetadata };

/** Sends the bytes of a file to an upload URL of the service. @throws {ServiceError} */
export type SendFile = (url: string, headers: Readonly<Record<string, string>>, bytes: Uint8Array) => Promise<void>;

/**
 * The context of a tool call. Without `outgoing`, nothing is fetched. With `sendFile`, this process has no store of its own: the
 * service receives the files.
 */
export type ToolContext = Caller & {
  readonly service: Service;
  readonly outgoing: Outgoing | undefined;
  readonly sendFile?: SendFile | undefined;
};

/** The effects of tools on documents, as annotations that clients show before they run a tool. */
export const effects = {
  reads: { readOnlyHint: true, idempotentHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  sets: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  rewrites: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
  restores: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
} as const;

/** A row of the table of tools. */
export type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly effect: keyof typeof effects;
  readonly scope: Operation["scope"];
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Runs a call and returns `structuredContent`. @throws {ServiceError} */
  readonly run: (context: ToolContext, raw: unknown) => Promise<Record<string, unknown>>;
};

type Row<Input extends z.ZodType, Request extends z.ZodType, Result extends z.ZodType, Output extends z.ZodType> = Pick<
  Tool,
  "name" | "title" | "description" | "effect"
> & {
  /** The operation that the tool calls. A tool may only narrow it. */
  readonly operation: Operation<Request, Result>;
  readonly input: Input;
  readonly output: Output;
  /** Converts the tool's input to that of the operation, which the caller may call. @throws {ServiceError} */
  readonly request: (input: z.output<Input>, context: ToolContext) => z.input<Request> | Promise<z.input<Request>>;
  /** Converts the operation's output to that of the tool. */
  readonly reply: (result: z.output<Result>, input: z.output<Input>) => z.input<Output> & Record<string, unknown>;
};

/** Defines a tool that calls an operation through `invoke`, like every other edge. */
export function tool<
  Input extends z.ZodType,
  Request extends z.ZodType,
  Result extends z.ZodType,
  Output extends z.ZodType,
>(row: Row<Input, Request, Result, Output>): Tool {
  const { operation, request, reply, ...rest } = row;
  return {
    ...rest,
    scope: operation.scope,
    async run(context, raw) {
      const { service, actor, call } = context;
      const input = readInput(actor, operation, row.input, raw);
      const asked = await whereAdmitted(actor, operation, async () => request(input, context));
      return reply(await invoke(service, operation, actor, asked, call), input);
    },
  };
}

/**
 * Parses a tool's parameters. A caller without access to the operation gets that error instead of one about parameters.
 * @throws {ServiceError}
 */
export function readInput<Input extends z.ZodType>(
  actor: Actor,
  operation: Admission,
  input: Input,
  raw: unknown,
): z.output<Input> {
  try {
    return parseInput(input, raw ?? {});
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    requireAdmission(actor, operation);
    throw withParameters(error, input);
  }
}

/** Adds the names of the parameters to an error about one that the tool does not have. */
function withParameters(error: ServiceError, input: z.ZodType): ServiceError {
  const parameters = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  const { code, message, cause, details = [] } = error;
  const isUnknown = ({ path, message: why }: ErrorDetail): boolean => why === unknownField && !path.includes(".");
  if (parameters.length === 0 || !details.some(isUnknown)) return error;
  return new ServiceError(code, message, { cause, details: details.map((detail) => ({ ...detail, parameters })) });
}

/** Does the work before an operation. @throws {ServiceError} like `readInput` */
async function whereAdmitted<T>(actor: Actor, operation: Admission, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ServiceError) requireAdmission(actor, operation);
    throw error;
  }
}
