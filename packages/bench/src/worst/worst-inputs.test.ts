import { routes } from "@kb/api";
import { expect, it } from "vitest";
import { markdownKinds } from "./markdown.ts";
import { sampleSubjects } from "./subjects.ts";
import { longestIsWorst, ownInputs } from "./worst-inputs.ts";

const rows = routes("http://localhost:3000");
const ownOperations = new Set(ownInputs(sampleSubjects).map((input) => input.operation));

it("every operation of the route table has a worst known input", () => {
  const operations = [...new Set(rows.map((row) => row.name))].sort();
  const covered = [...new Set([...ownOperations, ...longestIsWorst])].filter((name) => name !== "mcp").sort();
  expect(covered).toEqual(operations);
});

it("an operation has its own input, or the longest body is its worst", () => {
  expect([...ownOperations].filter((name) => longestIsWorst.has(name))).toEqual([]);
});

it("eight equal lists and eight equal sync pages with bodies are sent at once", () => {
  const lists = ownInputs(sampleSubjects).filter((input) => input.operation === "documents.list" && input.copies === 8);
  expect(lists.map(({ query }) => query?.includes("updatedSince") === true).sort()).toEqual([false, true]);
});

it("the inputs have every kind of the list, and at least 20 more kinds of Markdown", () => {
  const titles = ownInputs(sampleSubjects).map((input) => input.title);
  for (const letter of "ABCDFHI") {
    expect(
      titles.filter((title) => title.startsWith(`${letter}: `)),
      letter,
    ).not.toEqual([]);
  }
  expect(markdownKinds.length).toBeGreaterThanOrEqual(20);
  expect(titles.filter((title) => title.startsWith("Markdown: "))).toHaveLength(markdownKinds.length);
});
