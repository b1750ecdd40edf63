import type { AssetManifest } from "../../build/asset-manifest.ts";
import type { Preferences } from "../preferences.ts";
import { type Html, html, jsonData } from "./html.ts";

/** Contents of a page. */
export type Page = {
  readonly title: string;
  readonly preferences: Preferences;
  /** Undefined if the app is not built: the page then has neither style nor script, and is readable. */
  readonly manifest: AssetManifest | undefined;
  readonly body: Html;
  /** The initial state of the app; without it the page has no script. */
  readonly boot?: unknown;
  /** The sources of the modules that the app needs beside its entry, by their names in the manifest. */
  readonly modules?: readonly string[];
};

/** Renders a whole page. The browser draws it once `#app-end` is there: a part of it would move as the rest arrives. */
export function layout({ title, preferences, manifest, body, boot, modules = [] }: Page): Html {
  const { locale, direction, theme, hasSingleKeys, isSidebarShown, isWritingFirst, quotes } = preferences;
  const themed = theme === undefined ? "" : html` data-theme="${theme}"`;
  const keysAndSidebar = html`${hasSingleKeys ? "" : html` data-keys="off"`}${isSidebarShown ? "" : html` data-sidebar="hidden"`}`;
  const quoted = quotes === undefined ? "" : html` data-quotes="${quotes}"`;
  const flags = html`${keysAndSidebar}${isWritingFirst ? html` data-documents="writing"` : ""}${quoted}`;
  return html`<!doctype html>
<html lang="${locale}" dir="${direction}"${themed}${flags}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="manifest" href="/manifest.webmanifest">
<link rel="expect" href="#app-end" blocking="render">
${manifest === undefined ? "" : links(manifest, boot === undefined ? undefined : modules)}
</head>
<body>
<div id="app">
${body}
</div>
<div id="app-end" hidden></div>
${boot === undefined || manifest === undefined ? "" : html`<script type="application/json" id="boot">${jsonData(boot)}</script>`}
</body>
</html>
`;
}

// React Aria looks for a style sheet of this id, and would otherwise add an element that the policy refuses.
const pressable = "react-aria-pressable-style";

/** Renders the links to the styles, and to the script with all modules that it needs; without `modules` to no script. */
function links({ styles, script, preloads, lazy }: AssetManifest, modules: readonly string[] | undefined): Html {
  const sheets = styles.map((href, index) => {
    const id = index === 0 ? html` id="${pressable}"` : "";
    return html`<link rel="stylesheet" href="${href}"${id}>\n`;
  });
  if (modules === undefined) return html`${sheets}`;
  const needed = new Set([...preloads, ...modules.flatMap((name) => lazy[name] ?? [])]);
  const links = [...needed].map((href) => html`<link rel="modulepreload" href="${href}">\n`);
  return html`${sheets}${links}<script type="module" src="${script}"></script>`;
}
