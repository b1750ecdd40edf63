import type { Site } from "./site.ts";

/** Refuses the calls whose address begins so, until `site.intercept(undefined)`. */
export function refuse(
  site: Pick<Site, "intercept">,
  address: string,
  status: number,
  headers: Record<string, string> = {},
): void {
  const codes: Readonly<Record<number, string>> = {
    401: "authentication_required",
    403: "forbidden",
    429: "rate_limited",
    500: "internal_error",
  };
  const body = { error: "Not now.", code: codes[status] ?? "unavailable" };
  site.intercept((requested) => (requested.startsWith(address) ? Response.json(body, { status, headers }) : undefined));
}
