import { z } from "zod";

/** The manifest of a build, as `dist/client/manifest.json` holds it: addresses of files on this origin. */
export const AssetManifest = z.object({
  /** The module that starts the app. */
  script: z.string(),
  /** Modules that the first one imports: a page asks for them at once. */
  preloads: z.array(z.string()),
  /**
   * The modules that load later, by the path of their source below `src`: a page asks at once for those that its first picture
   * needs, instead of one after the other.
   */
  lazy: z.record(z.string(), z.array(z.string())).default({}),
  styles: z.array(z.string()),
  /** The names of all files in `assets` that this build made; the others are those of the build before. */
  assets: z.array(z.string()).default([]),
  /** The hash of the sources, by which `is-built.ts` knows whether to build again. */
  inputs: z.string(),
});

/** The built app: the files that a page names, as addresses of this origin. */
export type AssetManifest = z.output<typeof AssetManifest>;
