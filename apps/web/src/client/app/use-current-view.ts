import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { View } from "../api/contract.ts";
import { viewQuery } from "../api/queries.ts";

/** Returns the document of the page; undefined on any other page. */
export function useCurrentView(): View | undefined {
  const { documentId } = useParams({ strict: false });
  const { data } = useQuery({ ...viewQuery(documentId ?? ""), enabled: false });
  return documentId === undefined ? undefined : data;
}
