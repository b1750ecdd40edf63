import { ServiceError } from "@kb/core";
import { DatabaseUnavailableError } from "@kb/db";

/** Returns whether a retry may succeed. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof DatabaseUnavailableError || (error instanceof ServiceError && error.code === "unavailable");
