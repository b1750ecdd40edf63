import { expect, it } from "vitest";
import { eventStream } from "./event-stream.ts";

it("ends a stream whose client does not read once its buffer is full, so that the client can resume from there", async () => {
  let ends = 0;
  const stream = eventStream({
    maxWaitingBytes: 1_000,
    opening: ": open\n\n",
    onEnd: () => {
      ends += 1;
    },
  });
  for (let id = 1; id <= 100; id += 1) stream.send({ id: String(id), event: "change", data: "x".repeat(50) });
  expect(ends).toBe(1);
  const text = await stream.response.text();
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual(ids.map((_, index) => index + 1));
  expect(ids.length).toBeGreaterThan(5);
  expect(ids.length).toBeLessThan(20);
});

it("writes a message that several streams send once for all of them, and every other one anew", async () => {
  let written = 0;
  const data = {
    toJSON: () => {
      written += 1;
      return { written };
    },
  };
  const open = () => eventStream({ maxWaitingBytes: 1_000, opening: "", onEnd: () => {} });
  const streams = [open(), open()];
  for (const stream of streams) stream.send({ id: "7", event: "batch", data, isShared: true });
  for (const stream of streams) stream.send({ id: "8", data: { text: "own" } });
  for (const { end } of streams) end();
  const texts = await Promise.all(streams.map(({ response }) => response.text()));
  const own = 'event: message\nid: 8\ndata: {"text":"own"}\n\n';
  expect(texts).toEqual(Array(2).fill(`event: batch\nid: 7\ndata: {"written":1}\n\n${own}`));
});
