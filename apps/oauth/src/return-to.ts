/** The destination of a log-in without another one. */
const home = "/";

/** The longest destination: the path of an authorization request with a long `state`. */
export const maxReturnToLength = 6_000;

/**
 * Returns the destination after a log-in: a path of this origin, else home. Browsers read `//host`, `/\host` and paths with
 * control characters as other hosts, so the result is what the URL parser makes of the path.
 */
export function safeReturnTo(path: string | undefined): string {
  if (path === undefined || path.length > maxReturnToLength) return home;
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(path)) return home;
  const origin = "http://own.invalid";
  const url = URL.parse(path, origin);
  // `/..//host` is resolved to `//host`.
  if (url?.origin !== origin || url.pathname.startsWith("//")) return home;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Returns the log-in path with a destination; with `switchUser` the page also asks a user who is logged in. */
export function logInPath(returnTo: string, { path = "/login", switchUser = false } = {}): string {
  const query = new URLSearchParams();
  if (returnTo !== home) query.set("return_to", returnTo);
  if (switchUser) query.set("other", "1");
  return query.size === 0 ? path : `${path}?${query}`;
}
