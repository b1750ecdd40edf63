import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { viewQuery } from "../src/client/api/queries.ts";
import { createQueryClient } from "../src/client/app/query-client.ts";

afterEach(async () => {
  // A call marks the page a tenth of a second after it has ended.
  await vi.waitFor(() => expect(document.documentElement.dataset.settled).toBe("true"));
  vi.unstubAllGlobals();
});

const id = "01890000-0000-7000-8000-000000000001";

/** A page of the app that shows a document. Its service answers every call with this status. */
function openPage(status: number): void {
  const boot = { app: { csrfToken: "token" }, document: { document: { id }, html: "" }, stars: [] };
  const querySelector = () => ({ textContent: JSON.stringify(boot) });
  vi.stubGlobal("document", { documentElement: { dataset: {} }, querySelector });
  vi.stubGlobal("fetch", async () => Response.json({ error: "Not found", code: "not_found" }, { status }));
}

it("a document that is gone stays gone, whichever part of the app asks for it next", {
  meta: { proves: ["web.current.gone"] },
}, async () => {
  openPage(404);
  const queries = createQueryClient();
  const screen = new QueryObserver(queries, viewQuery(id));
  const menu = new QueryObserver(queries, { ...viewQuery(id), enabled: false });
  const ends = [screen.subscribe(() => {}), menu.subscribe(() => {})];
  expect(screen.getCurrentResult().data).toMatchObject({ document: { id } });
  await queries.invalidateQueries({ queryKey: viewQuery(id).queryKey });
  // React renders the menu again before the screen: it gives its query the same options once more.
  menu.setOptions({ ...viewQuery(id), enabled: false });
  expect(menu.getCurrentResult().data).toBeUndefined();
  expect(screen.getCurrentResult()).toMatchObject({ data: undefined, status: "error" });
  for (const end of ends) end();
  queries.clear();
});
