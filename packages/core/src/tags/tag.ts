import { randomUUID } from "node:crypto";
import { z } from "zod";

/** A tag as every edge shows it. */
export const Tag = z
  .object({
    id: z.uuid(),
    name: z.string(),
    color: z.string().nullable(),
    documentCount: z.int().optional(),
    /** True for a restricted tag, which only those on its list see; left out for any other. */
    restricted: z.literal(true).optional(),
  })
  .meta({ id: "Tag" });

/**
 * Returns the id of a new tag. It is random, because the time in a UUID of version 7 would tell a restricted key that the
 * tag which it seems to create has existed for long.
 */
export const newTagId = (): string => randomUUID();
