import { recoveryCodeCount } from "@kb/auth";
import { z } from "zod";

/** A typed code. */
export const TypedCode = z.string().max(100);

/** New recovery codes, which only this answer contains. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()).length(recoveryCodeCount) });
