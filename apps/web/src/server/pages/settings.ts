import { invoke, notFound, operations } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { queryKeys } from "../../client/api/query-keys.ts";
import { pageList } from "../../client/screens/settings/page-list.ts";
import { type SettingsPage, type SettingsPlace, settingsPlace } from "../../client/screens/settings/pages.ts";
import { ar } from "../../messages/settings/ar.ts";
import { en, type SettingsWords } from "../../messages/settings/en.ts";
import type { Frame } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { mainPart } from "./main-part.ts";
import type { Answer, Calls, Shown } from "./shown.ts";

const words: Readonly<Record<Frame["preferences"]["locale"], SettingsWords>> = { en, ar };

/** Renders the list of the pages of the settings: it leads to each that the user may see. */
export async function settingsPage(_: EdgeContext, frame: Frame): Promise<Shown> {
  const { app, preferences } = frame;
  const { sections, pages } = words[preferences.locale].frame;
  const content = pageList(app.user.capabilities).map(
    ({ section, names }) => html`<section class="part"><h2>${sections[section]}</h2><ul class="rows">
${names.map((name) => html`<li><a href="/settings/${name}"><span class="row-title">${pages[name].name}</span> <span class="row-detail">${pages[name].about}</span></a></li>`)}
</ul></section>`,
  );
  const title = preferences.messages.settings;
  return { title, main: mainPart({ title, content: html`${content}` }), modules: settingsModules(undefined, frame) };
}

/** Reads the one thing that a page is about. @throws {ServiceError} `not_found` if it does not exist, or not for the user */
const readItem: Partial<Record<SettingsPage, (calls: Calls, id: string) => Promise<Answer>>> = {
  keys: async ({ service, actor }, id) => [
    queryKeys.operation("apiKeys.info", { id }),
    await invoke(service, operations.getApiKey, actor, { id }),
  ],
  webhooks: async ({ service, actor }, id) => [
    queryKeys.operation("webhooks.info", { id }),
    await invoke(service, operations.getWebhook, actor, { id }),
  ],
};

/**
 * Renders the frame of a page of the settings, which needs script for the rest.
 * @throws {ServiceError} `not_found` for a page that does not exist, or that the user may not see
 */
export async function settingsItemPage(context: EdgeContext, frame: Frame, calls: Calls): Promise<Shown> {
  const { app, preferences } = frame;
  const path = context.req.path.slice("/settings/".length);
  const place = settingsPlace(path, app.user.capabilities);
  if (place === undefined) throw notFound("Route");
  const { page, item } = place;
  const answer = item === undefined || item === "new" ? undefined : await readItem[page.name]?.(calls, item);
  const { frame: shared } = words[preferences.locale];
  const title = shared.pages[page.name].name;
  const content = html`<div class="settings-content"><noscript><p class="notice">${shared.needsScript}</p></noscript></div>`;
  return {
    title,
    main: mainPart({ title, before: navigation(frame, page.name), isWide: true, content }),
    modules: settingsModules(place, frame),
    ...(answer && { answers: [answer] }),
  };
}

/** Renders the list of pages beside one of them, with the same elements as the app's `SettingsScreen`. */
function navigation({ app, preferences }: Frame, current: SettingsPage): Html {
  const { allSettings, sections, pages } = words[preferences.locale].frame;
  const link = (name: SettingsPage): Html =>
    html`<li><a class="row-link" href="/settings/${name}"${name === current ? html` aria-current="page"` : ""}><span>${pages[name].name}</span></a></li>`;
  return html`<nav class="settings-navigation" aria-label="${preferences.messages.settings}">
<a class="settings-back" href="/settings">${allSettings}</a>
<ul>${pageList(app.user.capabilities).map(({ section, names }) => html`<li><span>${sections[section]}</span><ul>${names.map(link)}</ul></li>`)}</ul>
</nav>`;
}

/** Returns the sources of the modules that a page of the settings needs beside the screen itself. */
function settingsModules(place: SettingsPlace | undefined, { preferences }: Frame): string[] {
  const page = place === undefined ? [] : [`client/screens/settings/${place.page.name}.tsx`];
  return [`messages/settings/${preferences.locale}.ts`, ...page];
}
