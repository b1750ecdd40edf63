import { z } from "zod";

/** Page size of the standard lists: 1 to 100, default 25. Anything else is an error, not clamped. */
export const Limit = z.int().min(1).max(100).default(25);

/** How many rows to skip, where not to say is not the same as 0. */
export const OptionalOffset = z.int().min(0).max(2_147_483_647).optional();

/** How many rows to skip; default 0. */
export const Offset = OptionalOffset.unwrap().default(0);

/** A page of a list, with how many there are in all. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ total: z.int(), limit: z.int(), offset: z.int(), data: z.array(row) });
