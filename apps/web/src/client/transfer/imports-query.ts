import { queryOptions } from "@tanstack/react-query";
import type { OutputOf } from "../api/contract.ts";
import { operationQuery } from "../api/operation-query.ts";

/** An import of the reader. */
export type Import = OutputOf<"imports.list">[number];

/** An import that goes on is looked at again after this time. */
const againMs = 1_000;

/** Returns whether an import goes on, or waits for a worker. */
export const isActive = ({ status }: Import): boolean => status === "queued" || status === "running";

/** The latest imports of the reader, watched while one goes on. */
export const importsQuery = queryOptions({
  ...operationQuery("imports.list", {}),
  refetchInterval: ({ state }) => (state.data?.some(isActive) === true ? againMs : false),
});
