import { type Command, type EditorState, Plugin, PluginKey } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import { isIn } from "./commands.ts";
import { part } from "./part.ts";

type TableCommands = typeof import("./table-commands.ts");

const tables = part(() => import("./table-commands.ts"));

/** Returns a command for the table around the caret. It runs as soon as the commands of tables are loaded. */
export function inTable(choose: (commands: TableCommands) => Command): Command {
  return (state, dispatch, view) => {
    if (!isIn(state, "table")) return false;
    if (tables.current !== undefined) return choose(tables.current)(state, dispatch, view);
    if (dispatch !== undefined && view !== undefined) {
      // Where the caret has moved meanwhile, the command would change another row.
      load(view, (commands) => {
        if (view.state.selection.eq(state.selection)) choose(commands)(view.state, view.dispatch, view);
      });
    }
    return true;
  };
}

/** Returns a command of the part for tables that can do nothing until the part is loaded, so that its key does what it does elsewhere. */
export const onceLoaded =
  (choose: (commands: TableCommands) => Command): Command =>
  (state, dispatch, view) => {
    if (tables.current !== undefined) return choose(tables.current)(state, dispatch, view);
    if (view !== undefined) load(view);
    return false;
  };

function load(view: EditorView, use: (commands: TableCommands) => void = () => undefined): void {
  const run = (commands: TableCommands): void => {
    if (!view.isDestroyed) use(commands);
  };
  tables.load().then(run, (error: unknown) => key.get(view.state)?.spec.sayMissing(error));
}

const key = new PluginKey("tables");

/** Loads the commands of tables. Nobody waits for them: a command that needs them asks again, and says what is missing. */
export const loadTables = (): void => void tables.load().catch(() => undefined);

/**
 * Loads the commands of tables with the first caret in a table, or in a line that may become one. A command that they do not come for is
 * told to `sayMissing`.
 */
export const loadingTables = (sayMissing: (error: unknown) => void): Plugin =>
  new Plugin({
    key,
    sayMissing,
    props: {
      handleKeyDown: (view, event) => isIn(view.state, "table") && tables.current?.pressInTable(view, event) === true,
    },
    view(view) {
      const update = ({ state }: EditorView): void => {
        if (tables.current === undefined && (isIn(state, "table") || isAfterBar(state))) loadTables();
      };
      // A document may begin with a table.
      update(view);
      return { update };
    },
  });

const isAfterBar = ({ selection: { $from } }: EditorState): boolean => $from.parent.firstChild?.text?.[0] === "|";
