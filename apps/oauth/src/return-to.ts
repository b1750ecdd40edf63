/** Where a log-in goes on to without one. */
const home = "/";

/**
 * Where to go on after a log-in: a path of this origin, else home. A browser reads `//host`, `/\host` and what hides
 * behind control characters as other hosts: only what comes out of its own parser as it went in is believed.
 */
export function safeReturnTo(given: string | undefined): string {
  if (given === undefined || given.length > 2_000 || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(given)) return home;
  const own = "http://own.invalid";
  const url = URL.parse(given, own);
  return url?.origin === own && `${url.pathname}${url.search}${url.hash}` === given ? given : home;
}

/** The address of the log-in page that goes on there. */
export function logInPath(returnTo: string, path = "/login"): string {
  return returnTo === home ? path : `${path}?${new URLSearchParams({ return_to: returnTo })}`;
}
