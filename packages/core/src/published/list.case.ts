import { caseOf } from "../testing/operation-case.ts";
import { daysBefore, ofPage } from "../testing/plan-bounds.ts";
import { listPublished } from "./list.ts";

export const listPublishedCase = caseOf(listPublished, {
  access: "ATTTTTTT TTTT TTTTTTT +F AAAAAA TT TT",
  input: ({ channelId }) => ({ channelId }),
  statements: 4,
  plans: ({ subjects: { startedAt }, callers: { channel } }) => {
    const { channelId } = channel;
    const updatedSince = daysBefore(startedAt, 180);
    return [
      { caller: channel, input: { channelId }, reads: ofPage },
      { caller: channel, input: { channelId, updatedSince }, reads: ofPage },
    ];
  },
});
