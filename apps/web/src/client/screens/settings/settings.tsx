import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { ComponentType, ReactElement } from "react";
import { bootQuery } from "../../api/queries.ts";
import { boot } from "../../app/boot.ts";
import { prepareSettingsWords } from "../../app/settings-words.ts";
import { NotFound } from "../not-found.tsx";
import { Overview } from "./overview.tsx";
import { type SettingsPage, settingsPlace } from "./pages.ts";
import type { SettingsPageProps } from "./settings-page-props.ts";

type Page = ComponentType<SettingsPageProps>;

const modules: Readonly<Record<SettingsPage, () => Promise<Page>>> = {
  you: async () => (await import("./you.tsx")).You,
  keys: async () => (await import("./keys.tsx")).Keys,
  assistants: async () => (await import("./assistants.tsx")).Assistants,
  webhooks: async () => (await import("./webhooks.tsx")).Webhooks,
  team: async () => (await import("./team.tsx")).Team,
  audit: async () => (await import("./audit.tsx")).Audit,
  tags: async () => (await import("./tags.tsx")).Tags,
  channels: async () => (await import("./channels.tsx")).Channels,
  groups: async () => (await import("./groups.tsx")).Groups,
  transfer: async () => (await import("./transfer.tsx")).Transfer,
  people: async () => (await import("./people.tsx")).People,
};

const loaded = new Map<SettingsPage, Page>();

/** Loads the words, and the module of the page that an address names, before the page is shown. */
export async function loadSettingsPage(path = ""): Promise<void> {
  const name = settingsPlace(path, boot().app.user.capabilities)?.page.name;
  const load = async (page: SettingsPage): Promise<unknown> => loaded.set(page, await modules[page]());
  await Promise.all([prepareSettingsWords(), name && load(name)]);
}

const route = getRouteApi("/settings/$");

/** The settings: the list of their pages, or one of them. A page that is not for the reader is not there. */
export function Settings(): ReactElement {
  const { _splat: path = "" } = route.useParams();
  const { data } = useQuery(bootQuery);
  if (path === "") return <Overview />;
  const place = settingsPlace(path, data.user.capabilities);
  const Shown = place && loaded.get(place.page.name);
  return Shown === undefined ? <NotFound /> : <Shown key={path} item={place?.item} />;
}
