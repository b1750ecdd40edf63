import { newId } from "@kb/db";
import { shownClient } from "../testing/matrix/subjects.ts";
import { type CaseInput, caseOf } from "../testing/operation-case.ts";
import { approveApp, refuseApp } from "./decide.ts";

const request: CaseInput = async (scene) => {
  const { service, teamId, people } = scene.world;
  const id = newId();
  const data = { teamId, id, ...(await shownClient(scene)), userId: people.member.id, createdAt: new Date() };
  await service.database.client.appRequest.create({ data });
  return { id };
};

export const approveAppCase = caseOf(approveApp, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: request,
  statements: 8,
});

export const refuseAppCase = caseOf(refuseApp, {
  access: "AKKKKKKK FFFF FFFFFFF KK +FFFFN FF FF",
  input: request,
  statements: 10,
});
