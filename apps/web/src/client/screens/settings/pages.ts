import type { SettingsWords } from "../../../messages/settings/index.ts";

/** A part of the list of pages. */
export type SettingsSection = keyof SettingsWords["frame"]["sections"];

type PageFacts = {
  /** Also the last part of its address. */
  readonly name: keyof SettingsWords["frame"]["pages"];
  readonly section: SettingsSection;
  /** One of these capabilities opens the page; without any it is for everybody. */
  readonly needs?: readonly string[];
  /** Whether the page has further ones below it: `new`, or the id of one thing. */
  readonly hasItems?: boolean;
};

/** The pages of the settings, in the order of their list. */
const settingsPages = [
  { name: "you", section: "account" },
  { name: "keys", section: "developers", needs: ["developer.api_keys"], hasItems: true },
  { name: "assistants", section: "developers" },
  { name: "webhooks", section: "developers", needs: ["developer.webhooks"], hasItems: true },
  { name: "channels", section: "publishing", needs: ["publishing.channels"], hasItems: true },
  { name: "people", section: "team", needs: ["settings.members"] },
  { name: "groups", section: "team", needs: ["settings.groups", "settings.members"] },
  { name: "tags", section: "team", needs: ["tag.manage"] },
  { name: "audit", section: "team", needs: ["audit.read"] },
  { name: "transfer", section: "team", needs: ["export"] },
  { name: "team", section: "team", needs: ["settings.team_edit"] },
] as const satisfies readonly PageFacts[];

/** The name of a page of the settings. */
export type SettingsPage = (typeof settingsPages)[number]["name"];
type Page = PageFacts & { readonly name: SettingsPage };

const pages: readonly Page[] = settingsPages;

const item = /^(?:new|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** A page of the settings that an address names; `item` is `new` or the id of one thing on it. */
export type SettingsPlace = { readonly page: Page; readonly item: string | undefined };

/** Returns the pages that somebody with these capabilities may see. */
export function visiblePages(capabilities: readonly string[]): readonly Page[] {
  const has = (needed: string): boolean => capabilities.includes("*") || capabilities.includes(needed);
  return pages.filter(({ needs }) => needs === undefined || needs.some(has));
}

/** Reads what follows `/settings/` in an address. Undefined if there is no such page, or it is not for this reader. */
export function settingsPlace(path: string, capabilities: readonly string[]): SettingsPlace | undefined {
  const [name, id, ...rest] = path.replace(/\/$/, "").split("/");
  const page = visiblePages(capabilities).find((each) => each.name === name);
  const below = id?.toLowerCase();
  if (page === undefined || rest.length > 0) return undefined;
  if (below !== undefined && !(page.hasItems === true && item.test(below))) return undefined;
  return { page, item: below };
}
