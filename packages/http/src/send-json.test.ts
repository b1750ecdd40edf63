import { expect, it } from "vitest";
import { z } from "zod";
import { as, edgeOf, operationOf } from "../test/edge.ts";
import { section } from "../test/things.ts";
import { heavyBytes } from "./heavy-answers.ts";
import { route } from "./route.ts";

it("the large answer of a change is sent even where those of reads are refused", async () => {
  const text = "x".repeat(heavyBytes);
  const [read, change] = [false, true].map((changes) =>
    operationOf(z.strictObject({}), z.object({ text: z.string() }), () => ({ text }), { changes }),
  );
  if (read === undefined || change === undefined) throw new Error("two operations are defined");
  const path = "/api/v1/documents";
  const { app } = edgeOf([route("get", path, read, { section }), route("post", path, change, { section })]);
  const leaving = new AbortController();
  const unread = Array.from({ length: 10 }, () => app.request(path, as("good", { signal: leaving.signal })));
  // Two are being sent, eight wait for them.
  await Promise.all(unread.slice(0, 2));
  expect((await app.request(path, as("good"))).status).toBe(503);
  const changed = await app.request(path, as("good", { method: "POST", json: {} }));
  expect(changed.status).toBe(200);
  expect(await changed.json()).toEqual({ data: { text } });
  leaving.abort();
  await Promise.all(unread);
});
