import type { Actor } from "@kb/auth";
import { createLifecycle, createLogger } from "@kb/runtime";
import { expect, it } from "vitest";
import { OpenStreams } from "./open-streams.ts";

/** Opens a list of streams that checks no credential. */
function openStreams() {
  const lifecycle = createLifecycle();
  const logger = createLogger({ app: "test", level: "silent" });
  const service = { clock: { now: () => new Date() } } as ConstructorParameters<typeof OpenStreams>[0]["service"];
  const streams = new OpenStreams({ service, lifecycle, logger });
  const ended: string[] = [];
  const open = (name: string, untilAnswered = false): void => {
    const end = (): void => {
      ended.push(name);
      remove();
    };
    const remove = streams.add({ actor: {} as Actor, principal: name, openedAt: new Date(), end, untilAnswered });
  };
  return { lifecycle, streams, open, ended };
}

it("ends the streams of a process that stops, and those that open meanwhile; a call runs on until it is answered", async () => {
  const { lifecycle, streams, open, ended } = openStreams();
  open("stream");
  open("call", true);
  lifecycle.stop();
  expect(ended).toEqual(["stream"]);
  open("late stream");
  open("late call", true);
  await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toEqual(["stream", "late stream"]);
  streams.close();
  expect(ended).toEqual(["stream", "late stream", "call", "late call"]);
});
