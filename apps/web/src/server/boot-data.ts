import type { operations } from "@kb/core";
import type { z } from "zod";

/** The output of `app.boot`. */
export type BootData = z.output<typeof operations.bootApp.output>;
/** The output of `stars.list`. */
export type StarsData = z.output<typeof operations.listStars.output>;
/** The output of `documents.tree`. */
export type TreeData = z.output<typeof operations.readTree.output>;
/** The output of `documents.view`. */
export type ViewData = z.output<typeof operations.viewDocument.output>;
