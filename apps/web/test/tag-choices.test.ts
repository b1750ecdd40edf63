import { expect, it } from "vitest";
import { createKey, tagChoices } from "../src/client/actions/tag-choices.ts";

const known = [
  { id: "1", name: "howto", documentCount: 3 },
  { id: "2", name: "salary", documentCount: 1 },
];
const question = { typed: "", known, hidden: [], chosen: { names: [], restrictedIds: [] }, mostTags: 50 };

it("offers the tags that contain what was typed, and a new one of that name", () => {
  expect(tagChoices(question).map(({ name }) => name)).toEqual(["howto", "salary"]);
  expect(tagChoices({ ...question, typed: "How,To" }).map(({ key }) => key)).toEqual(["1"]);
  expect(tagChoices({ ...question, typed: "how" }).map(({ key, name }) => [key, name])).toEqual([
    ["1", "howto"],
    [createKey, "how"],
  ]);
});

it("a restricted tag is offered as such, and never as an open tag of the same name", () => {
  const choices = tagChoices({ ...question, typed: "salary", hidden: [{ id: "2", name: "salary" }] });
  expect(choices).toEqual([{ key: "restricted 2", name: "salary", restrictedId: "2" }]);
  const marked = [{ id: "2", name: "salary", documentCount: 1, restricted: true as const }];
  expect(tagChoices({ ...question, typed: "salary", known: marked })).toEqual([]);
});

it("a document with the most tags gets no further one", () => {
  const names = Array.from({ length: 50 }, (_, index) => `tag ${index}`);
  expect(tagChoices({ ...question, typed: "new", chosen: { names, restrictedIds: [] } })).toEqual([]);
});
