import { expect, it } from "vitest";
import { askForProof, proofStore } from "../src/client/api/proof.ts";

it("an answer to a question that has ended leaves the next question open", async () => {
  const first = askForProof();
  const cancelled = proofStore.read();
  cancelled?.settle(false);
  expect(await first).toBe(false);
  const second = askForProof();
  cancelled?.settle(true);
  expect(askForProof()).toBe(second);
  proofStore.read()?.settle(true);
  expect(await second).toBe(true);
  expect(proofStore.read()).toBeUndefined();
});
