/** Where a log-in goes on to without one. */
const home = "/";

// The address of an authorization request, with whatever state an app gives it.
const maxLength = 6_000;

/**
 * Where to go on after a log-in: a path of this origin, else home. A browser reads `//host`, `/\host` and what hides
 * behind control characters as other hosts: what comes out of its own parser is what is gone to.
 */
export function safeReturnTo(given: string | undefined): string {
  if (given === undefined || given.length > maxLength || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(given)) return home;
  const own = "http://own.invalid";
  const url = URL.parse(given, own);
  // `/..//host` comes out as `//host`.
  if (url?.origin !== own || url.pathname.startsWith("//")) return home;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** The address of the log-in page that goes on there. */
export function logInPath(returnTo: string, path = "/login"): string {
  return returnTo === home ? path : `${path}?${new URLSearchParams({ return_to: returnTo })}`;
}
