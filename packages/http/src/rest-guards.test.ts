import { ServiceError } from "@kb/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { as, edgeOf, operationOf } from "../test/edge.ts";
import { id, path, section, Thing, thingEdge } from "../test/things.ts";
import { route } from "./route.ts";

describe("revisions", () => {
  it('an answer with a revision has ETag: "<revision>"', async () => {
    const { ask } = thingEdge();
    expect((await ask("GET", `/api/v1/documents/${id}`)).headers.get("ETag")).toBe('"3"');
    expect((await ask("PATCH", `/api/v1/documents/${id}`, { json: {} })).headers.get("ETag")).toBe('"3"');
    expect((await ask("POST", "/api/v1/documents", { json: {} })).headers.get("ETag")).toBe('"3"');
  });

  it("If-None-Match with the current revision returns 304 without a body, only for GET", async () => {
    const { ask } = thingEdge();
    const headers = { "If-None-Match": 'W/"3"' };
    const response = await ask("GET", `/api/v1/documents/${id}`, { headers });
    expect([response.status, response.headers.get("ETag"), await response.text()]).toEqual([304, '"3"', ""]);
    expect((await ask("GET", `/api/v1/documents/${id}`, { headers: { "If-None-Match": '"2"' } })).status).toBe(200);
    expect((await ask("PATCH", `/api/v1/documents/${id}`, { headers, json: {} })).status).toBe(200);
  });

  it.each([
    ['"3"', [3]],
    ['"3", W/"4", "5"', [3, 5]],
    ['W/"3"', []],
    ["*", undefined],
  ])("If-Match: %s reaches the operation as revisions", async (header, expected) => {
    const { ask, patch } = thingEdge();
    await ask("PATCH", `/api/v1/documents/${id}`, { headers: { "If-Match": header }, json: {} });
    expect(patch.received[0]?.expectedRevisions).toEqual(expected);
  });

  it("an If-Match that the domain rejects is 412", async () => {
    const failing = operationOf(z.strictObject({ id: z.uuid() }), Thing, () => {
      const details = [{ path: "expectedRevisions", message: "old", currentRevision: 4 }];
      throw new ServiceError("revision_conflict", "Somebody was faster.", { details });
    });
    const { app } = edgeOf([route("patch", path, failing, { section, etag: (output) => output.revision })]);
    const init = as("good", { method: "PATCH", headers: { "If-Match": '"3"' }, json: {} });
    expect((await app.request(`/api/v1/documents/${id}`, init)).status).toBe(412);
  });

  it("If-Match on GET is 412 if it does not name the current revision", async () => {
    const { ask } = thingEdge();
    const response = await ask("GET", `/api/v1/documents/${id}`, { headers: { "If-Match": '"2"' } });
    expect([response.status, response.headers.get("ETag")]).toEqual([412, null]);
    expect((await ask("GET", `/api/v1/documents/${id}`, { headers: { "If-Match": '"3"' } })).status).toBe(200);
  });

  it("a precondition that cannot be checked is rejected, never ignored", async () => {
    const { ask, create, patch } = thingEdge();
    const headers = { "If-Match": '"3"' };
    expect((await ask("POST", "/api/v1/documents", { headers, json: {} })).status).toBe(400);
    expect((await ask("PATCH", `/api/v1/documents/${id}`, { headers: { "If-Match": "3" }, json: {} })).status).toBe(
      400,
    );
    expect([...create.received, ...patch.received]).toEqual([]);
  });
});

describe("Idempotency-Key", () => {
  const hashes = async (...requests: [target: string, token: string, json: unknown][]): Promise<string[]> => {
    const { app, create } = thingEdge();
    for (const [target, token, json] of requests) {
      await app.request(target, as(token, { headers: { "Idempotency-Key": "k" }, json }));
    }
    return create.received.map(({ idempotency }) =>
      Buffer.from(Reflect.get(Object(idempotency), "requestHash")).toString("hex"),
    );
  };

  it("reaches the operation with a hash of every part that identifies the request", async () => {
    const [first, same, otherBody, otherKey] = await hashes(
      ["/api/v1/documents", "good", { name: "a" }],
      ["/api/v1/documents", "good", { name: "a" }],
      ["/api/v1/documents", "good", { name: "b" }],
      ["/api/v1/documents", "other", { name: "a" }],
    );
    expect(first).toBe(same);
    expect(otherBody).not.toBe(first);
    expect(otherKey).not.toBe(first);
  });

  it.each(["", "x".repeat(256)])("of a wrong length (%#) is a validation error", async (key) => {
    const { ask, create } = thingEdge();
    const response = await ask("POST", "/api/v1/documents", { headers: { "Idempotency-Key": key }, json: {} });
    expect(await response.json()).toMatchObject({ code: "validation_error", details: [{ path: "Idempotency-Key" }] });
    expect(create.received).toEqual([]);
  });

  it("marks a replayed response", async () => {
    const { ask } = thingEdge();
    const replayed = await ask("POST", "/api/v1/documents", { headers: { "Idempotency-Key": "again" }, json: {} });
    expect([replayed.status, replayed.headers.get("Idempotency-Replayed")]).toEqual([201, "true"]);
    const first = await ask("POST", "/api/v1/documents", { headers: { "Idempotency-Key": "first" }, json: {} });
    expect(first.headers.get("Idempotency-Replayed")).toBeNull();
  });

  it("is ignored on other methods", async () => {
    const { ask, patch } = thingEdge();
    await ask("PATCH", `/api/v1/documents/${id}`, { headers: { "Idempotency-Key": "k" }, json: {} });
    expect(patch.received[0]?.idempotency).toBeUndefined();
  });
});
