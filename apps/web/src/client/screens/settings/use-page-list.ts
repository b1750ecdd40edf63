import { useQuery } from "@tanstack/react-query";
import { bootQuery } from "../../api/queries.ts";
import { pageList, type SectionPages } from "./page-list.ts";

/** Returns the pages that the reader may see, by section. */
export function usePageList(): SectionPages[] {
  return pageList(useQuery(bootQuery).data.user.capabilities);
}

/** Returns whether the reader has a capability. */
export function useHas(capability: string): boolean {
  const { capabilities } = useQuery(bootQuery).data.user;
  return capabilities.includes("*") || capabilities.includes(capability);
}
