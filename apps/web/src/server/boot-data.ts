import type { operations } from "@kb/core";
import type { z } from "zod";

/** What `app.boot` returns. */
export type BootData = z.output<typeof operations.bootApp.output>;
/** What `stars.list` returns. */
export type StarsData = z.output<typeof operations.listStars.output>;
/** What `documents.tree` returns. */
export type TreeData = z.output<typeof operations.readTree.output>;
/** What `documents.view` returns. */
export type ViewData = z.output<typeof operations.viewDocument.output>;
