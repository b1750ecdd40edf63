import { logoAddress } from "../../client/parts/picture-address.ts";
import type { BootData } from "../boot-data.ts";
import { face } from "./face.ts";
import type { Frame } from "./frame.ts";
import { type Html, html } from "./html.ts";
import { icon } from "./icon.ts";
import type { Shown } from "./shown.ts";
import { sidebar } from "./sidebar.ts";

/** Renders the frame with the same elements as the app's `Shell`, so that nothing moves when the app starts. */
export function shell(frame: Frame, { main, aside, tree, hasNoApp }: Shown): Html {
  const { messages } = frame.preferences;
  return html`<div class="skip-links"><a href="#main">${messages.skipToContent}</a><a href="#kb-navigation">${messages.skipToNavigation}</a><a href="#kb-search">${messages.skipToSearch}</a></div>
<div class="${hasNoApp === true ? "shell without-app" : "shell"}">
${bar(frame)}
${sidebar(frame, tree)}
${main}
${aside ?? ""}
</div>`;
}

/** The logo of the team, or the icon of the product, as the app shows them. */
function logo(manifest: Frame["manifest"], { logo: version }: BootData["team"]): Html {
  if (version === null) return html`${icon(manifest, "book")}`;
  return html`<img class="logo" src="${logoAddress(version)}" alt="" decoding="async">`;
}

function bar({ app, manifest, preferences: { messages } }: Frame): Html {
  return html`<header class="bar">
<span class="bar-navigation"></span><span class="bar-sidebar"></span>
<a class="bar-home" href="/">${logo(manifest, app.team)}<span dir="auto">${app.team.name}</span></a>
<form class="bar-search" action="/search" role="search"><input id="kb-search" type="search" name="query" maxlength="1000" aria-label="${messages.search}" placeholder="${messages.search}"></form>
<a class="bar-account" href="/logout" aria-label="${messages.logOut}">${face({ userId: app.user.id, name: app.user.name, picture: app.picture })}</a>
</header>`;
}
