import { type Command, type EditorState, Plugin, PluginKey } from "prosemirror-state";
import { isIn } from "./commands.ts";
import { part } from "./part.ts";

type TableCommands = typeof import("./table-commands.ts");

const tables = part(() => import("./table-commands.ts"));

/** Returns a command for the table around the caret. It runs as soon as the commands of tables are loaded. */
export const inTable = (choose: (commands: TableCommands) => Command): Command =>
  withTables((state) => isIn(state, "table"), choose);

/** Returns a command of the part for tables, where it may be one. It runs as soon as that part is loaded. */
export function withTables(
  isFor: (state: EditorState) => boolean,
  choose: (commands: TableCommands) => Command,
): Command {
  return (state, dispatch, view) => {
    if (!isFor(state)) return false;
    if (tables.current !== undefined) return choose(tables.current)(state, dispatch, view);
    if (dispatch !== undefined && view !== undefined) {
      const run = (commands: TableCommands): void => {
        // Where the caret has moved meanwhile, the command would change another row.
        if (!view.isDestroyed && view.state.selection.eq(state.selection))
          choose(commands)(view.state, view.dispatch, view);
      };
      tables.load().then(run, (error: unknown) => key.get(view.state)?.spec.sayMissing(error));
    }
    return true;
  };
}

const key = new PluginKey("tables");

/** Loads the commands of tables. Nobody waits for them: a command that needs them asks again, and says what is missing. */
export const loadTables = (): void => void tables.load().catch(() => undefined);

/** Loads the commands of tables with the first caret in a table. A command that they do not come for is told to `sayMissing`. */
export const loadingTables = (sayMissing: (error: unknown) => void): Plugin =>
  new Plugin({
    key,
    sayMissing,
    props: {
      handleKeyDown: (view, event) => isIn(view.state, "table") && tables.current?.pressInTable(view, event) === true,
    },
    view: () => ({
      update: ({ state }) => {
        if (tables.current === undefined && isIn(state, "table")) loadTables();
      },
    }),
  });
