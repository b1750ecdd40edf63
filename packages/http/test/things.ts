import { z } from "zod";
import { route } from "../src/index.ts";
import { as, edgeOf, operationOf } from "./edge.ts";

/** An id of the right form. */
export const id = "0192f0c1-7c5e-7a1a-9d7e-1f1f1f1f1f1f";
/** The path of one thing. */
export const path = "/api/v1/documents/{id}";
/** The answers of the rows. */
export const Thing = z.object({ id: z.uuid(), revision: z.int(), name: z.string() });
export const thing = { id, revision: 3, name: "Thing" };
export const section = "Things";

/** An edge with rows of every form; what reaches their operations is noted. */
export function thingEdge() {
  const get = operationOf(z.strictObject({ id: z.uuid(), full: z.boolean().optional() }), Thing, () => thing);
  const patch = operationOf(z.strictObject({ id: z.uuid(), name: z.string().optional() }), Thing, () => thing);
  const create = operationOf(z.strictObject({ name: z.string().default("new") }), Thing, (_input, { idempotency }) => {
    if (idempotency !== undefined && Reflect.get(Object(idempotency), "key") === "again") {
      Reflect.set(Object(idempotency), "replayed", true);
    }
    return thing;
  });
  const list = operationOf(
    z.strictObject({ limit: z.int().max(100).default(25) }),
    z.object({ total: z.int(), data: z.array(Thing) }),
    () => ({ total: 1, data: [thing] }),
  );
  const history = operationOf(
    z.strictObject({ id: z.uuid(), revision: z.int().min(1).max(2_147_483_647) }),
    Thing,
    () => thing,
  );
  const etag = (output: z.output<typeof Thing>): number => output.revision;
  const rows = [
    route("get", "/api/v1/documents", list, { section, body: "output" }),
    route("post", "/api/v1/documents", create, { section, status: 201, etag, ifMatch: false }),
    route("get", path, get, { section, etag }),
    route("patch", path, patch, { section, etag }),
    route("get", `${path}/revisions/{revision}`, history, { section }),
  ];
  const { app, lines } = edgeOf(rows);
  const ask = (method: string, target: string, init: Parameters<typeof as>[1] = {}) =>
    app.request(target, as("good", { ...init, method }));
  return { ask, app, lines, get, patch, create, list, history };
}
