import { z } from "zod";

/** A tag as every edge shows it. */
export const Tag = z
  .object({
    id: z.uuid(),
    name: z.string(),
    color: z.string().nullable(),
    documentCount: z.int().optional(),
  })
  .meta({ id: "Tag" });
