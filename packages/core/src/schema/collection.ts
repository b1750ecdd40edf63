import { z } from "zod";
import { Timestamp } from "./text.ts";

/** A collection as every edge shows it. */
export const Collection = z
  .object({
    id: z.uuid(),
    name: z.string(),
    icon: z.string().nullable(),
    color: z.string().nullable(),
    description: z.string().nullable(),
    teamId: z.uuid(),
    createdById: z.uuid().nullable(),
    archivedAt: Timestamp.nullable(),
    sortOrder: z.number(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Collection" });
