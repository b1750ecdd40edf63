import { Failure } from "../../api/failure.ts";

/** Returns whether a thing does not exist, or not for this reader. */
export function isAbsent({ error }: { readonly error: Error | null }): boolean {
  return error instanceof Failure && (error.status === 404 || error.status === 403);
}
