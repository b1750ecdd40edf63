/** The bytes of bodies after which a page ends that says by its cursor that there is more. */
export const maxPageBytes = 8_000_000;

/** Returns the number of rows of a page: at most `limit`, those with `maxPageBytes` of bodies, and at least one. */
export function rowsWithinPage(bodyBytes: readonly number[], limit: number): number {
  let sum = 0;
  const over = bodyBytes.findIndex((bytes) => {
    sum += bytes;
    return sum > maxPageBytes;
  });
  return Math.min(limit, over < 0 ? bodyBytes.length : Math.max(1, over));
}
