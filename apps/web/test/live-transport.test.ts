import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { liveTransport } from "../src/client/editor/live-transport.ts";
import { PeopleHere } from "../src/client/editor/people-here.ts";

const app = { csrfToken: "token", user: { id: "ada" } };
beforeAll(() => {
  const querySelector = () => ({ textContent: JSON.stringify({ app, stars: [] }) });
  vi.stubGlobal("document", { documentElement: { dataset: {} }, querySelector });
});
// The page is marked as settled a while after the last call.
afterAll(() => vi.waitFor(() => expect(document.documentElement.dataset.settled).toBe("true")));

/** Sends a batch; each call but the one for the user's data gets this answer. Returns what its failure means. */
async function failureKind(answer: () => Response): Promise<unknown> {
  vi.stubGlobal("fetch", async (address: string) => (/boot/.test(address) ? Response.json(app) : answer()));
  const batch = { lineage: "a", clientId: "b", seq: 1, base: 0, schema: 1, steps: [] };
  const failure = await liveTransport("document", new PeopleHere())
    .push(batch)
    .catch((error: unknown) => error);
  return (failure as { kind?: unknown }).kind;
}

it.each([
  [404, "not_found", "gone"],
  [403, "forbidden", "forbidden"],
  [409, "lineage_changed", "reopen"],
  [409, "schema_ahead", "outdated"],
  [422, "steps_refused", "refused"],
  [413, "payload_too_large", "refused"],
  [401, "authentication_required", "unreachable"],
  [503, "unavailable", "unreachable"],
])("takes the service's own %i %s for %s", async (status, code, kind) => {
  expect(await failureKind(() => Response.json({ error: "No", code }, { status }))).toBe(kind);
});

it.each([400, 403, 404, 410, 413, 422])("does not end a session for a %i that is not the service's", async (status) => {
  expect(await failureKind(() => new Response("404 page not found", { status }))).toBe("unreachable");
  expect(await failureKind(() => Response.json({ error: "No", code: status }, { status }))).toBe("unreachable");
});
