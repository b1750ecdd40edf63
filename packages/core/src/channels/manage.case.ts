import { channel, unique } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { ofPage } from "../testing/plan-bounds.ts";
import { createChannel, deleteChannel, listChannels, updateChannel } from "./manage.ts";

export const createChannelCase = caseOf(createChannel, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: (scene) => ({ name: unique("Channel"), collectionIds: [scene.collectionId] }),
  statements: 12,
});

export const deleteChannelCase = caseOf(deleteChannel, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: channel,
  statements: 8,
});

export const listChannelsCase = caseOf(listChannels, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFF+ FF FF",
  input: () => ({}),
  statements: 4,
  plans: ({ callers: { person } }) => [{ caller: person, input: {}, reads: ofPage }],
});

export const updateChannelCase = caseOf(updateChannel, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ ...(await channel(scene)), name: "By the matrix" }),
  statements: 8,
});
