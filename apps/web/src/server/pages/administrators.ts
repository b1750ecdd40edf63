import type { Caller } from "@kb/auth";
import { invoke, operations, type Service } from "@kb/core";
import { queryKeys, shownAdministrators } from "../../client/api/query-keys.ts";
import { listOfNames } from "../../messages/list-of-names.ts";
import type { Preferences } from "../preferences.ts";
import { type Html, html } from "./html.ts";
import type { Answer } from "./shown.ts";

type Administrators = { readonly part: Html | string; readonly answers: readonly Answer[] };

type Reader = { readonly service: Service; readonly caller: Caller };

/** Names those who can give a reader more rights, as far as they can be read. */
export async function administrators(
  { locale, messages }: Preferences,
  { service, caller }: Reader,
): Promise<Administrators> {
  const found = await invoke(service, operations.listDirectory, caller, shownAdministrators).catch(() => undefined);
  if (found === undefined || found.data.length === 0) return { part: "", answers: [] };
  return {
    part: html`<p>${messages.administrators(listOfNames(found.data, locale))}</p>`,
    answers: [[queryKeys.operation("users.directory", shownAdministrators), found]],
  };
}
