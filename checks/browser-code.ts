import { isBuiltin } from "node:module";
import { dirname, posix } from "node:path";
import type { Import } from "./modules.ts";

const web = "apps/web/src/";
/** Folders of the web app that reach browsers; the server uses some of their modules too. */
const browserFolders = [`${web}client/`, `${web}messages/`];

/** The packages of ours that are made for browsers too, beside the codec. */
const forBrowsers: readonly string[] = ["@kb/live/session", "@kb/formulas"];

/** Returns whether the module runs in browsers. */
export function isBrowserCode(path: string): boolean {
  return browserFolders.some((folder) => path.startsWith(folder));
}

/** Returns the rule that an import of browser code breaks: Node, our server, or values of another package of ours. */
export function browserImportRule(path: string, { specifier, names }: Import): string | undefined {
  if (isBuiltin(specifier)) return `browser code may not import ${specifier}`;
  if (specifier.startsWith(".")) {
    const target = posix.join(dirname(path), specifier);
    return target.startsWith(web) && !isBrowserCode(target)
      ? `browser code may not import ${specifier}, which runs on the server`
      : undefined;
  }
  if (forBrowsers.includes(specifier)) return undefined;
  if (specifier.startsWith("@kb/") && names.length > 0) return `browser code imports only types of ${specifier}`;
  return undefined;
}
