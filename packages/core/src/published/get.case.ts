import { caseOf } from "../testing/operation-case.ts";
import { ofOne } from "../testing/plan-bounds.ts";
import { getPublished } from "./get.ts";

export const getPublishedCase = caseOf(getPublished, {
  access: "ATTTTTTT TTTT TTTTTTT +F AAAAAA TT TT",
  input: async (scene) => ({ channelId: scene.channelId, id: await scene.document() }),
  statements: 3,
  plans: ({ subjects, callers }) => [
    {
      caller: callers.channel,
      input: { channelId: callers.channel.channelId, id: subjects.publishedId },
      reads: ofOne,
    },
  ],
});
