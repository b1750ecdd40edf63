import fc from "fast-check";
import { expect, it } from "vitest";
import { orderAfter, type Sibling } from "./order-after.ts";

const sorted = (siblings: readonly Sibling[]): Sibling[] =>
  [...siblings].sort((a, b) => a.sortOrder - b.sortOrder || (a.id < b.id ? -1 : 1));

/** The ids of all in their order after a move. */
function moved(siblings: readonly Sibling[], place: number, document: Sibling): string[] {
  const { sortOrder, shifts } = orderAfter(siblings, place, document);
  const shifted = new Map(shifts.map((shift) => [shift.id, shift.sortOrder]));
  const all = siblings.map(({ id, sortOrder: own }) => ({ id, sortOrder: shifted.get(id) ?? own }));
  return sorted([...all, { id: document.id, sortOrder }]).map(({ id }) => id);
}

it("a document comes exactly after its sibling, and the others keep their order, whatever their numbers", {
  meta: { proves: ["web.order"] },
}, () => {
  const number = fc.oneof(
    fc.constantFrom(0, 1, -1, 0.5, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, Number.MIN_VALUE),
    fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
  );
  const siblings = fc
    .uniqueArray(fc.record({ id: fc.stringMatching(/^[a-f]{4}$/), sortOrder: number }), {
      selector: ({ id }) => id,
      maxLength: 12,
    })
    .map(sorted);
  fc.assert(
    fc.property(siblings, fc.nat(12), number, fc.constantFrom("0000", "cccc0", "zzzz"), (list, at, own, id) => {
      const place = Math.min(at, list.length) - 1;
      const ids = list.map((sibling) => sibling.id);
      const wanted = [...ids.slice(0, place + 1), id, ...ids.slice(place + 1)];
      expect(moved(list, place, { id, sortOrder: own })).toEqual(wanted);
    }),
    { numRuns: 2_000 },
  );
});

it("siblings make way only if there is no number between two of them, and then as few as possible", {
  meta: { proves: ["web.order"] },
}, () => {
  const at = (...orders: number[]) => orders.map((sortOrder, place) => ({ id: `id${place}`, sortOrder }));
  const document = { id: "z", sortOrder: 50 };
  expect(orderAfter([], -1, document)).toEqual({ sortOrder: 50, shifts: [] });
  expect(orderAfter(at(1, 2), 0, document)).toEqual({ sortOrder: 1.5, shifts: [] });
  expect(orderAfter(at(1, 2), 1, document)).toEqual({ sortOrder: 50, shifts: [] });
  expect(orderAfter(at(1, 2), -1, document)).toEqual({ sortOrder: 0, shifts: [] });
  expect(orderAfter(at(0, 0, 0, 0), 2, document)).toEqual({ sortOrder: 1, shifts: [{ id: "id3", sortOrder: 2 }] });
  expect(orderAfter(at(0, 0, 0, 0), 0, document)).toEqual({ sortOrder: -1, shifts: [{ id: "id0", sortOrder: -2 }] });
});
