/** A document among its siblings, which are sorted by `sortOrder`, then by id. */
export type Sibling = { readonly id: string; readonly sortOrder: number };

/** The order of a document, and the new order of siblings that have to make way. */
export type Order = { readonly sortOrder: number; readonly shifts: readonly Sibling[] };

const isBefore = (one: Sibling, other: Sibling): boolean =>
  one.sortOrder < other.sortOrder || (one.sortOrder === other.sortOrder && one.id < other.id);

/**
 * Returns the order by which a document comes directly after the sibling at `place`, or first with -1. Siblings move only if
 * there is no number between the two neighbors; then as few as possible. `siblings` does not contain the document;
 * `sortOrder` is its present order, which stays if the document is there already.
 */
export function orderAfter(siblings: readonly Sibling[], place: number, document: Sibling): Order {
  const before = siblings[place];
  const next = siblings[place + 1];
  const fits = (sortOrder: number): boolean => {
    const there = { id: document.id, sortOrder };
    return (before === undefined || isBefore(before, there)) && (next === undefined || isBefore(there, next));
  };
  const free = [document.sortOrder, between(before, next), before?.sortOrder, next?.sortOrder].find(
    (value) => value !== undefined && Number.isFinite(value) && fits(value),
  );
  if (free !== undefined && Math.abs(free) <= Number.MAX_SAFE_INTEGER) return { sortOrder: free, shifts: [] };
  const candidates = [pushedDown(siblings, place), pushedUp(siblings, place)].filter(isWithinBounds);
  const [fewest] = candidates.sort((one, other) => one.shifts.length - other.shifts.length);
  return fewest ?? renumbered(siblings, place);
}

function between(before: Sibling | undefined, next: Sibling | undefined): number {
  if (before === undefined) return next === undefined ? 0 : next.sortOrder - 1;
  return next === undefined ? before.sortOrder + 1 : before.sortOrder + (next.sortOrder - before.sortOrder) / 2;
}

/** Makes way behind the place: each sibling that is not behind its predecessor any more comes one behind it. */
function pushedDown(siblings: readonly Sibling[], place: number): Order {
  const sortOrder = (siblings[place]?.sortOrder ?? -1) + 1;
  const shifts: Sibling[] = [];
  let last = sortOrder;
  for (let index = place + 1; index < siblings.length; index += 1) {
    const sibling = siblings[index];
    if (sibling === undefined || sibling.sortOrder > last) break;
    last += 1;
    shifts.push({ id: sibling.id, sortOrder: last });
  }
  return { sortOrder, shifts };
}

/** Makes way before the place, in the same manner. */
function pushedUp(siblings: readonly Sibling[], place: number): Order {
  const sortOrder = (siblings[place + 1]?.sortOrder ?? 1) - 1;
  const shifts: Sibling[] = [];
  let first = sortOrder;
  for (let index = place; index >= 0; index -= 1) {
    const sibling = siblings[index];
    if (sibling === undefined || sibling.sortOrder < first) break;
    first -= 1;
    shifts.push({ id: sibling.id, sortOrder: first });
  }
  return { sortOrder, shifts };
}

/** Tells whether all numbers are stored exactly, so that each differs from the next. */
function isWithinBounds({ sortOrder, shifts }: Order): boolean {
  return [sortOrder, shifts.at(-1)?.sortOrder ?? 0].every((value) => Math.abs(value) < Number.MAX_SAFE_INTEGER);
}

/** Numbers all siblings anew. */
function renumbered(siblings: readonly Sibling[], place: number): Order {
  const shifts = siblings.map(({ id }, index) => ({ id, sortOrder: index <= place ? index : index + 1 }));
  return { sortOrder: place + 1, shifts };
}
