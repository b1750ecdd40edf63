import type { Rolldown } from "vite";

type Groups = Exclude<Rolldown.OutputOptions["codeSplitting"], boolean | undefined>;
type ModuleContext = Rolldown.ChunkingContext;

/** The modules that only pages of the settings share. */
const ofSettings =
  /[\\/]client[\\/](?:screens[\\/]settings|parts[\\/]form)[\\/]|[\\/](?:settings-words|operation-query)\.ts$/;

/** The module that opens the editor. It remains a file of its own, as what several files load. */
const editorEntry = /[\\/]client[\\/]editor[\\/]editor-page\.tsx$/;

/** The modules of the editor. The list of what the device keeps has some of `live` too. */
const ofEditor = new RegExp(
  [
    /[\\/]client[\\/]editor[\\/]/,
    /[\\/]packages[\\/]markdown-codec[\\/]src[\\/](?:schema|attributes|callout|label|math|mention|raw|url|wiki-link|shape|error)\.ts/,
    /[\\/]packages[\\/]live[\\/]src[\\/](?!session[\\/]texts-of-kept|written-attribute)/,
    /[\\/]node_modules[\\/](?:prosemirror-[\w-]+|diff|orderedmap|rope-sequence|w3c-keyname)[\\/]/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

/** What the codec shares with the names of emoji, which load by themselves. */
const ofCodec = /[\\/]packages[\\/]markdown-codec[\\/]/;

/** The parser below the codec. The editor loads it in several ways, and pages never do. */
const ofParser = /[\\/]node_modules[\\/](?:markdown-it|entities|mdurl|uc\.micro|linkify-it|punycode(?:\.js)?)[\\/]/;

/**
 * Groups the modules into few files, because on a slow network each request costs more than the bytes that one screen does
 * without: `libraries` and `frame` start every page; `layers` has the menus, dialogs and pickers, which load when the first one
 * opens; `parts` has what several screens share, `settings` what several pages of the settings do, `editor` what the
 * editor opens with, which compresses best in one piece, `editor-parts` what several of its later files share, and `parser` what reads Markdown. Each screen, dialog and language remains a file of its own, and so does the entry: it waits for the first
 * screen, which must not wait for it.
 */
export const chunks: Groups = {
  groups: [
    {
      name: "libraries",
      test: /rolldown[\\/]runtime|[\\/]node_modules[\\/](?:react|react-dom|scheduler|@tanstack)[\\/]/,
    },
    { name: "frame", tags: ["$initial"], test: /^(?!.*[\\/]client[\\/]main\.tsx$)/ },
    {
      name: (id, context) => (showsLayer(id, context) ? "layers" : "parts"),
      debugName: "layers, parts",
      test: (id) => ![ofSettings, ofEditor, ofCodec, ofParser].some((group) => group.test(id)),
      minShareCount: 2,
    },
    // After the parts, because a group takes along what its modules import.
    { name: "settings", test: ofSettings, minShareCount: 2 },
    {
      name: (id, context) => (opensEditor(id, context) ? "editor" : null),
      debugName: "editor",
      test: ofEditor,
    },
    { name: "editor-parts", test: ofEditor, minShareCount: 2 },
    { name: "codec", test: ofCodec, minShareCount: 2 },
    { name: "parser", test: ofParser, minShareCount: 2 },
  ],
};

/** The files that the entry imports, by the names that Vite gives them. */
const ofEntry = /^assets\/(?:rolldown-runtime|libraries|frame)-[\w-]+\.js$/;

/** Returns the files to preload with a dynamic import: not the file that imports, nor those that every page has. */
export const namedFiles = (
  _file: string,
  files: readonly string[],
  { hostId }: { readonly hostId: string },
): string[] => files.filter((each) => each !== hostId && !ofEntry.test(each));

const atStart = new Set(["libraries", "frame", "parts"]);

/** Returns whether nearly every page runs a file when it starts. */
export const isAtStart = ({ isEntry, name }: Pick<Rolldown.RenderedChunk, "isEntry" | "name">): boolean =>
  isEntry || atStart.has(name);

/** Returns whether the editor needs a module at once: whether static imports lead to it from the module that opens the editor. */
function opensEditor(id: string, context: ModuleContext): boolean {
  if (editorEntry.test(id)) return false;
  const seen = new Set<string>();
  const waiting = [id];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (seen.has(each)) continue;
    seen.add(each);
    if (editorEntry.test(each)) return true;
    waiting.push(...(context.getModuleInfo(each)?.importers ?? []));
  }
  return false;
}

/** The libraries of menus and dialogs, and the pickers, which need none of them but open in the same way. */
const ofLayers =
  /[\\/](?:react-aria|react-aria-components|react-stately)[\\/]|[\\/]client[\\/]parts[\\/]picker[^\\/]*$/;

/** Returns whether a module uses a menu, dialog or picker: a screen that shares another part must not load those. */
function showsLayer(id: string, context: ModuleContext): boolean {
  const seen = new Set<string>();
  const waiting = [id];
  for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
    if (seen.has(each)) continue;
    seen.add(each);
    if (ofLayers.test(each)) return true;
    waiting.push(...(context.getModuleInfo(each)?.importedIds ?? []));
  }
  return false;
}
