import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import type { OutputOf } from "../../api/contract.ts";

/** A group of people. */
export type Group = OutputOf<"groups.list">["data"][number];

/** The most groups of one request. */
const pageSize = 100;

/** All groups of the team: the built-in ones, then the others by name. */
export const allGroupsQuery = queryOptions({
  queryKey: ["groups.list", "all"],
  queryFn: async ({ signal }): Promise<Group[]> => {
    const groups: Group[] = [];
    for (;;) {
      const { data, total } = await call("groups.list", { limit: pageSize, offset: groups.length }, { signal });
      groups.push(...data);
      if (data.length === 0 || groups.length >= total) return groups;
    }
  },
  staleTime: 10_000,
});
