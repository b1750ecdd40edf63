import { notFound, ServiceError, StepShapes } from "@kb/core";
import { DatabaseUnavailableError } from "@kb/db";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { as, edgeOf, operationOf } from "../test/edge.ts";
import { id, section, Thing, thing, thingEdge } from "../test/things.ts";
import { route } from "./route.ts";

describe("paths", () => {
  it("a path parameter is part of the input", async () => {
    const { ask, get } = thingEdge();
    const response = await ask("GET", `/api/v1/documents/${id}`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: thing });
    expect(get.received[0]?.input).toEqual({ id });
  });

  it.each(["GET", "PATCH", "DELETE", "POST", "PUT", "OPTIONS"])(
    "a malformed id in a path is 404 with %s, with the same body as an unknown one",
    async (method) => {
      const { ask } = thingEdge();
      for (const wrong of ["x", "%00", id.slice(0, -1), `${id}0`, "..%2f", "%ff", "%E0%A4%A"]) {
        const response = await ask(method, `/api/v1/documents/${wrong}`);
        expect(response.status).toBe(404);
        expect(await response.json()).toEqual({ error: notFound("Document").message, code: "not_found" });
      }
    },
  );

  it.each(["0", "-1", "x", "1.5", "1e1", "2147483648", "99999999999999999999"])(
    "revision %s cannot exist: 404",
    async (revision) => {
      const { ask, history } = thingEdge();
      const response = await ask("GET", `/api/v1/documents/${id}/revisions/${revision}`);
      expect(await response.json()).toEqual({ error: "Revision not found", code: "not_found" });
      expect(history.received).toEqual([]);
    },
  );

  it("a number in a path is converted to a number", async () => {
    const { ask, history } = thingEdge();
    await ask("GET", `/api/v1/documents/${id}/revisions/12`);
    expect(history.received[0]?.input).toEqual({ id, revision: 12 });
  });

  it("a path parameter is rejected in the body", async () => {
    const { ask, patch } = thingEdge();
    const response = await ask("PATCH", `/api/v1/documents/${id}`, { json: { id, name: "x" } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "validation_error", details: [{ path: "id" }] });
    expect(patch.received).toEqual([]);
  });

  it("a path parameter is rejected in the query", async () => {
    const { ask } = thingEdge();
    const response = await ask("GET", `/api/v1/documents/${id}?id=${id}`);
    expect(response.status).toBe(400);
  });

  it("an unknown path, and a path with an extra slash, is 404", async () => {
    const { ask } = thingEdge();
    for (const target of ["/api/v1/nothing", "/api/v1/documents/", "/api/v1//documents", "/api", "/api/"]) {
      const response = await ask("GET", target);
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: "Route not found", code: "not_found" });
    }
  });

  it("a known path with another method is 405 method_not_allowed with Allow", async () => {
    const { ask } = thingEdge();
    for (const method of ["PUT", "DELETE", "TRACE", "PURGE"]) {
      const response = await ask(method === "TRACE" ? "PROPFIND" : method, "/api/v1/documents");
      expect(response.status).toBe(405);
      expect(response.headers.get("Allow")).toBe("GET, HEAD, OPTIONS, POST");
      expect(await response.json()).toMatchObject({ code: "method_not_allowed" });
    }
  });

  it("OPTIONS lists the methods, and HEAD is GET without a body", async () => {
    const { ask } = thingEdge();
    const options = await ask("OPTIONS", `/api/v1/documents/${id}`);
    expect([options.status, options.headers.get("Allow"), await options.text()]).toEqual([
      204,
      "GET, HEAD, OPTIONS, PATCH",
      "",
    ]);
    const head = await ask("HEAD", `/api/v1/documents/${id}`);
    expect([head.status, head.headers.get("ETag"), await head.text()]).toEqual([200, '"3"', ""]);
  });
});

describe("bodies and responses", () => {
  it("a creation is 201, and a list is the body itself", async () => {
    const { ask } = thingEdge();
    expect((await ask("POST", "/api/v1/documents", { json: { name: "x" } })).status).toBe(201);
    expect(await (await ask("GET", "/api/v1/documents?limit=5")).json()).toEqual({ total: 1, data: [thing] });
  });

  it("an empty body is accepted if every field is optional", async () => {
    const { ask, create } = thingEdge();
    expect((await ask("POST", "/api/v1/documents")).status).toBe(201);
    expect(create.received[0]?.input).toEqual({ name: "new" });
  });

  it("an unknown key, including __proto__, is a validation error that names it", async () => {
    const { app } = thingEdge();
    for (const key of ["nmae", "__proto__", "constructor"]) {
      const body = `{"${key}":{"admin":true}}`;
      const headers = { "Content-Type": "application/json" };
      const response = await app.request("/api/v1/documents", as("good", { method: "POST", headers, body }));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: "validation_error", details: [{ path: key }] });
    }
  });

  it("a write accepts no query parameters", async () => {
    const { ask } = thingEdge();
    const response = await ask("POST", "/api/v1/documents?name=x", { json: {} });
    expect(await response.json()).toMatchObject({ code: "validation_error", details: [{ path: "name" }] });
  });

  it("an error of the domain has its status and body", async () => {
    const details = [{ path: "expectedRevision", message: "old", currentRevision: 4 }];
    const failing = operationOf(z.strictObject({}), Thing, () => {
      throw new ServiceError("revision_conflict", "Somebody was faster.", { details });
    });
    const { app } = edgeOf([route("get", "/api/v1/me", failing, { section })]);
    const response = await app.request("/api/v1/me", as("good"));
    expect([response.status, await response.json()]).toEqual([
      409,
      { error: "Somebody was faster.", code: "revision_conflict", details },
    ]);
  });

  it("a defect is 500 without details, and a log line with the request's id", async () => {
    const failing = operationOf(z.strictObject({}), Thing, () => {
      throw new TypeError('cannot read "the secret title"');
    });
    const { app, lines } = edgeOf([route("get", "/api/v1/me", failing, { section })]);
    const response = await app.request("/api/v1/me", as("good", { headers: { "X-Request-Id": "abc" } }));
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: "Something went wrong on the server.", code: "internal_error" });
    const [line] = lines;
    expect(line).toMatchObject({ requestId: "abc", status: 500, code: "internal_error", cause: { type: "TypeError" } });
    expect(JSON.stringify(lines)).not.toContain("secret title");
    expect(JSON.stringify(line?.cause)).toContain("rest.test.ts");
  });

  it("the line of refused steps has their shapes", async () => {
    const refused = operationOf(z.strictObject({}), Thing, () => {
      const cause = new StepShapes([{ stepType: "replace", from: 5, to: 7, slice: { content: ["the secret text"] } }]);
      throw new ServiceError("steps_refused", "The steps do not apply.", { cause });
    });
    const { app, lines } = edgeOf([route("get", "/api/v1/me", refused, { section })]);
    expect((await app.request("/api/v1/me", as("good"))).status).toBe(422);
    const cause = { steps: ["replace 5 7 of 78 characters"], count: 1 };
    expect(lines[0]).toMatchObject({ status: 422, code: "steps_refused", cause });
    expect(JSON.stringify(lines)).not.toContain("secret text");
  });

  it("an output that violates its schema is a defect: 500", async () => {
    const wrong = operationOf(z.strictObject({}), Thing, () => ({ ...thing, revision: 1.5 }));
    const { app } = edgeOf([route("get", "/api/v1/me", wrong, { section })]);
    expect((await app.request("/api/v1/me", as("good"))).status).toBe(500);
  });

  it("an unavailable database is 503 with Retry-After", async () => {
    const away = operationOf(z.strictObject({}), Thing, () => {
      throw new DatabaseUnavailableError(new Error("ECONNREFUSED"));
    });
    const { app } = edgeOf([route("get", "/api/v1/me", away, { section })]);
    const response = await app.request("/api/v1/me", as("good"));
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "2"]);
    expect(await response.json()).toMatchObject({ code: "unavailable" });
  });

  it("status and data can depend on the output", async () => {
    const reuse = operationOf(
      z.strictObject({ name: z.string() }),
      z.object({ tag: z.object({ name: z.string() }), created: z.boolean() }),
      ({ name }) => ({ tag: { name }, created: name === "fresh" }),
    );
    const row = route("post", "/api/v1/tags", reuse, {
      section,
      status: ({ created }) => (created ? 201 : 200),
      body: { data: "tag" },
    });
    const { app } = edgeOf([row]);
    for (const [name, status] of [
      ["fresh", 201],
      ["known", 200],
    ] as const) {
      const response = await app.request("/api/v1/tags", as("good", { json: { name } }));
      expect([response.status, await response.json()]).toEqual([status, { data: { name } }]);
    }
  });
});
