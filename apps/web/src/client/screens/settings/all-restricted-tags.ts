import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import type { OutputOf } from "../../api/contract.ts";

type RestrictedTag = OutputOf<"tags.listRestricted">["data"][number];

/** The most tags of one request. */
const pageSize = 100;

/** All restricted tags of the team with those who see each. */
export const allRestrictedQuery = queryOptions({
  queryKey: ["tags.listRestricted", "all"],
  queryFn: async ({ signal }): Promise<RestrictedTag[]> => {
    const tags: RestrictedTag[] = [];
    for (;;) {
      const { data, total } = await call("tags.listRestricted", { limit: pageSize, offset: tags.length }, { signal });
      tags.push(...data);
      if (data.length === 0 || tags.length >= total) return tags;
    }
  },
  staleTime: 10_000,
});
