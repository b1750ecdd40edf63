import type { AssetManifest } from "../../build/asset-manifest.ts";
import type { IconName } from "../../client/icons/names.ts";
import { iconShapes } from "../../client/icons/shapes.ts";
import { type Html, html } from "./html.ts";

/** Renders an icon; an empty string if the app is not built. It repeats what the text beside it says. */
export function icon(manifest: AssetManifest | undefined, name: IconName): Html | string {
  if (manifest === undefined) return "";
  const directional = name === "chevron" || name === "back" ? " icon-directional" : "";
  return html`<svg class="icon${directional}" viewBox="0 0 24 24" aria-hidden="true"><path d="${iconShapes[name]}"></path></svg>`;
}
