import { z } from "zod";

/** The page size of standard lists: 1 to 100, default 25. Other values are errors. */
export const Limit = z.int().min(1).max(100).default(25);

/** The number of rows to skip, for lists in which an absent value differs from 0. */
export const OptionalOffset = z.int().min(0).max(2_147_483_647).optional();

/** The number of rows to skip; default 0. */
export const Offset = OptionalOffset.unwrap().default(0);

/** Returns the schema of a page of a list with the total number. */
export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ total: z.int(), limit: z.int(), offset: z.int(), data: z.array(row) });
