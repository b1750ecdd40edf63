import { type PageParameter, pageParameter } from "../page-parameter.ts";

const filters = ["query", "group", "show", "action", "user", "outcome", "since", "until"] as const;

/** The filters of a list in the settings, as they stand in the address, and the page of the list. */
export type SettingsParameters = PageParameter & Partial<Record<(typeof filters)[number], string>>;

/** Reads the filters of an address; what makes no sense is left out, so that every address shows a page. */
export function settingsParameters(search: Record<string, unknown>): SettingsParameters {
  const given = filters.flatMap((name) => {
    const value = search[name];
    return value === undefined || value === "" ? [] : [[name, String(value).slice(0, 200)]];
  });
  return { ...pageParameter(search), ...Object.fromEntries(given) };
}
