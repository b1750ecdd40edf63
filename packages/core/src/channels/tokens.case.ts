import { invoke } from "../invoke.ts";
import { newChannel } from "../testing/matrix/subjects.ts";
import { caseOf } from "../testing/operation-case.ts";
import { createChannelToken, listChannelTokens, revokeChannelToken } from "./tokens.ts";

export const createChannelTokenCase = caseOf(createChannelToken, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ channelId: await newChannel(scene), name: "By the matrix" }),
  statements: 8,
});

export const listChannelTokensCase = caseOf(listChannelTokens, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => ({ channelId: await newChannel(scene) }),
  statements: 4,
  withoutPlans: "the tokens of one channel",
});

export const revokeChannelTokenCase = caseOf(revokeChannelToken, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: async (scene) => {
    const given = { channelId: await newChannel(scene), name: "Token" };
    return { id: (await invoke(scene.world.service, createChannelToken, scene.inApp, given)).id };
  },
  statements: 8,
});
