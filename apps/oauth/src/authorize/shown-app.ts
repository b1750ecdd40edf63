import type { OauthClient } from "@kb/auth";
import type { ShownApp } from "@kb/core";

/** Returns the app as the operations take it: with the name and the addresses that the user sees and the request was checked against. */
export function shownApp({ id, name, redirectUris }: OauthClient): ShownApp {
  return { clientId: id, name, redirectUris: [...redirectUris] };
}
