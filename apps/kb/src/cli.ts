import { Command, CommanderError } from "commander";
import { type Context, contextOf } from "./context.ts";
import { CommandError, describeFailure } from "./failure.ts";
import { type AddLeaf, leafOf } from "./leaf.ts";
import { version } from "./version.ts";

const interrupted = 130;

/** Runs a command line; returns the exit code: 0, or 1 with one sentence on standard error. */
export async function main(argv: readonly string[], signal: AbortSignal): Promise<number> {
  const json = argv.includes("--json");
  let exitCode = 0;
  const fail = (): void => {
    exitCode = 1;
  };
  try {
    const program = await programOf(argv, (wantsJson) => contextOf(wantsJson, signal, fail));
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    // `kb` or `kb user` without a subcommand has shown the help.
    if (error instanceof CommanderError && error.code === "commander.help") return 1;
    const { error: message, code } = describeFailure(toUsageError(error));
    process.stderr.write(`${message}\n`);
    if (json) process.stdout.write(`${JSON.stringify({ error: message, code })}\n`);
    return code === "interrupted" ? interrupted : 1;
  }
}

/** Converts commander's error to a usage error without its prefix; returns any other error unchanged. */
function toUsageError(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  return new CommandError("usage", `${error.message.replace(/^error: /, "")} (see --help)`);
}

type AddCommand = (program: Command, leaf: AddLeaf) => void;

/** Loads each command by its name, in the order of the help. A command line runs one, and loading all takes half a second. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  start: async () => (await import("./commands/start.ts")).addStartCommand,
  migrate: async () => (await import("./commands/migrate.ts")).addMigrateCommand,
  info: async () => (await import("./commands/info.ts")).addInfoCommand,
  doctor: async () => (await import("./commands/doctor.ts")).addDoctorCommand,
  team: async () => (await import("./commands/team.ts")).addTeamCommands,
  user: async () => (await import("./commands/user.ts")).addUserCommands,
  group: async () => (await import("./commands/group.ts")).addGroupCommands,
  key: async () => (await import("./commands/key.ts")).addKeyCommands,
  channel: async () => (await import("./commands/channel.ts")).addChannelCommands,
  mcp: async () => (await import("./commands/mcp.ts")).addMcpCommands,
  mail: async () => (await import("./commands/mail.ts")).addMailCommands,
  import: async () => (await import("./commands/import.ts")).addImportCommand,
  export: async () => (await import("./commands/export.ts")).addExportCommand,
  backup: async () => (await import("./commands/backup.ts")).addBackupCommand,
  restore: async () => (await import("./commands/restore.ts")).addRestoreCommand,
  reseal: async () => (await import("./commands/reseal.ts")).addResealCommand,
  recount: async () => (await import("./commands/recount.ts")).addRecountCommand,
};

const asksForVersion: ReadonlySet<string> = new Set(["--version", "-V"]);

/** Returns the program with the command that comes first, or with all of them for the help and for an unknown word. */
async function programOf([first = ""]: readonly string[], makeContext: (json: boolean) => Context): Promise<Command> {
  const program = new Command("kb")
    .description("Run and administer a team knowledge base.")
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  const leaf: AddLeaf = leafOf(makeContext);
  for (const add of await Promise.all(commandsFor(first).map((load) => load()))) add(program, leaf);
  return program;
}

function commandsFor(first: string): (() => Promise<AddCommand>)[] {
  if (asksForVersion.has(first)) return [];
  const load = Object.hasOwn(commands, first) ? commands[first] : undefined;
  return load === undefined ? Object.values(commands) : [load];
}
