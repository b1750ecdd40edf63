/** Where a log-in goes on to without one. */
const home = "/";

/** The longest that is gone on to: the address of an authorization request, with whatever state an app gives it. */
export const maxReturnTo = 6_000;

/**
 * Where to go on after a log-in: a path of this origin, else home. A browser reads `//host`, `/\host` and what hides
 * behind control characters as other hosts: what comes out of its own parser is what is gone to.
 */
export function safeReturnTo(given: string | undefined): string {
  if (given === undefined || given.length > maxReturnTo || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(given))
    return home;
  const own = "http://own.invalid";
  const url = URL.parse(given, own);
  // `/..//host` comes out as `//host`.
  if (url?.origin !== own || url.pathname.startsWith("//")) return home;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The address of the log-in page that goes on there; with `other` it asks who is logged in already, too. */
export function logInPath(returnTo: string, { path = "/login", other = false } = {}): string {
  const query = new URLSearchParams();
  if (returnTo !== home) query.set("return_to", returnTo);
  if (other) query.set("other", "1");
  return query.size === 0 ? path : `${path}?${query}`;
}
