import { invalid, invoke } from "@kb/core";
import * as operations from "@kb/core/operations";
import type { CollectionInput } from "./fields.ts";
import type { ToolContext } from "./tool.ts";

/**
 * Returns the id of the collection that a call names, if any. A name is looked up: 1 statement.
 * @throws {ServiceError} if both parameters are given, or no collection or several have the name
 */
async function findCollectionId(
  { service, actor, call }: ToolContext,
  { collection, collectionId }: CollectionInput,
): Promise<string | undefined> {
  if (collection !== undefined && collectionId !== undefined) {
    throw invalid("collectionId", "Send collection or collectionId, not both");
  }
  if (typeof collection !== "object") return collection ?? collectionId;
  return (await invoke(service, operations.findCollectionForAssistants, actor, collection, call)).id;
}

/** Returns the input of a tool with the id of the collection instead of its name. @throws {ServiceError} if both parameters are given, or no collection or several have the name */
export async function withCollectionId<T extends CollectionInput>(context: ToolContext, input: T) {
  const { collection, collectionId, ...rest } = input;
  return { ...rest, collectionId: await findCollectionId(context, { collection, collectionId }) };
}
