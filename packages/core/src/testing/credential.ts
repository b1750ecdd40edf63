import type { SessionCredential } from "./world.ts";

/** An API key or another bearer token, a log-in, or nothing. */
export type Credential = string | SessionCredential | null;
