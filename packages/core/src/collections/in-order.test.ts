import { expect, it } from "vitest";
import { inOrder } from "./in-order.ts";

it("collections come by their own order, then by name without regard to case, where numbers count as numbers", () => {
  const names = ["Team 10", "zebra", "Team 2", "Ärzte", "apples", "دليل", "Team 1", "Banana"];
  const sorted = inOrder(names.map((name, index) => ({ id: String(index), name, sortOrder: 0 })));
  expect(sorted.map(({ name }) => name)).toEqual([
    "apples",
    "Ärzte",
    "Banana",
    "Team 1",
    "Team 2",
    "Team 10",
    "zebra",
    "دليل",
  ]);
  const own = [
    { id: "b", name: "Last", sortOrder: 2 },
    { id: "d", name: "Same", sortOrder: 1 },
    { id: "c", name: "Same", sortOrder: 1 },
  ];
  expect(inOrder(own).map(({ id }) => id)).toEqual(["c", "d", "b"]);
});
