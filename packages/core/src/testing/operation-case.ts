import type { Actor, ChannelReader } from "@kb/auth";
import type { z } from "zod";
import type { Operation } from "../operation.ts";
import type { Scene } from "./matrix/scene.ts";
import type { Bound } from "./plan-bounds.ts";

/** Prepares the subject of a call and returns the input. Runs anew after each call that changed something. */
export type CaseInput = (scene: Scene) => Promise<object> | object;

/** A call of which every statement is explained, and how many rows it may read. */
export type PlanCase = { readonly caller: Actor | ChannelReader; readonly input: object; readonly reads: Bound };

/** A large team, and the callers in it. */
export type PlanQuestion = {
  readonly subjects: PlanSubjects;
  readonly callers: { readonly person: Actor; readonly restricted: Actor; readonly channel: ChannelReader };
};

/** The parts of a large team that a plan case may name. */
export type PlanSubjects = {
  /** The number of documents in the team. */
  readonly count: number;
  /** A collection in which everybody may write. */
  readonly collectionId: string;
  /** Documents from all over the team that everybody may read. */
  readonly documentIds: readonly string[];
  /** A document that the channel publishes. */
  readonly publishedId: string;
  /** A tag of a tenth of the documents, and a tag of about fifty, with its id. */
  readonly tags: { readonly common: string; readonly rare: string; readonly rareId: string };
  /** A word of twenty documents, and the same word with a typo. */
  readonly rareWord: string;
  readonly typo: string;
  readonly startedAt: Date;
};

/** Everything that the tests of all operations need to know of one of them. */
export type OperationCase = {
  /** The name of the operation. */
  readonly operation: string;
  /** The outcome for each kind of credential: a row of the access matrix, see `matrix/cells.ts`. */
  readonly access: string;
  /** An input that is right in all but its caller. */
  readonly input: CaseInput;
  /** The most statements that a call with this input may run. */
  readonly statements: number;
  /** The most statements that a call with any input may run, if they are more: for a tree of documents or new tags. */
  readonly statementsOfAnyInput?: number;
  /** The inputs of an operation that reads which lead to different statements. */
  readonly plans?: (question: PlanQuestion) => readonly PlanCase[];
  /** The edge that offers the operation, if the REST API does not. */
  readonly withoutRoute?: string;
  /** The reason why an operation that reads has no plans. */
  readonly withoutPlans?: string;
};

/** Describes an operation to the tests of all operations. */
export function caseOf<Input extends z.ZodType, Output extends z.ZodType>(
  { name }: Operation<Input, Output>,
  description: Omit<OperationCase, "operation">,
): OperationCase {
  return { operation: name, ...description };
}
