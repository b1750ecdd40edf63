import type { EditorView } from "prosemirror-view";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { peopleSource } from "../src/client/editor/people-source.ts";
import type { Suggestion } from "../src/client/editor/suggestion-state.ts";

const asked = vi.hoisted(() => [] as (string | undefined)[]);

vi.mock("../src/client/api/call.ts", () => ({
  call: (_name: string, { query, limit }: { query?: string; limit: number }) => {
    asked.push(query);
    const names = ["Ada Lovelace", "Adam Smith", "Bob Ross"].filter((name) => name.includes(query ?? ""));
    return Promise.resolve({ data: names.map((name) => ({ id: name, name, suspended: false })), total: limit + 1 });
  },
}));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("in a team of more than 100 people, the service is asked once for what is typed without a pause", async () => {
  const { find } = peopleSource("People");
  // Finding looks at nothing of the view.
  const view = {} as EditorView;
  const type = (query: string) => find(view, { kind: "people", sign: "@", from: 1, to: 2, query } satisfies Suggestion);
  await type("");
  expect(asked).toEqual([undefined]);
  const found = ["A", "Ad", "Ada", "Adam"].map(type);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(asked).toEqual([undefined, "Adam"]);
  expect((await found.at(-1))?.map(({ label }) => label)).toEqual(["Adam Smith"]);
});
