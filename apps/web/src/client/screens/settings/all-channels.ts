import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import type { OutputOf } from "../../api/contract.ts";

/** A publishing channel. */
export type Channel = OutputOf<"channels.list">["data"][number];

/** The most channels of one request. */
const pageSize = 100;

/** All channels of the team, by name. */
export const allChannelsQuery = queryOptions({
  queryKey: ["channels.list", "all"],
  queryFn: async ({ signal }): Promise<Channel[]> => {
    const channels: Channel[] = [];
    for (;;) {
      const { data, total } = await call("channels.list", { limit: pageSize, offset: channels.length }, { signal });
      channels.push(...data);
      if (data.length === 0 || channels.length >= total) return channels;
    }
  },
  staleTime: 10_000,
});
