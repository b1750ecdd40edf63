import type { AssetManifest } from "../../build/asset-manifest.ts";
import type { BootData, StarsData } from "../boot-data.ts";
import type { Preferences } from "../preferences.ts";

/** The frame of a page for a user who is logged in. */
export type Frame = {
  readonly app: BootData;
  readonly stars: StarsData;
  readonly preferences: Preferences;
  readonly manifest: AssetManifest | undefined;
  /** The path of the page, which marks its link in the navigation. */
  readonly path: string;
};
