import { Command, CommanderError } from "commander";
import { addBackupCommand } from "./commands/backup.ts";
import { addChannelCommands } from "./commands/channel.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addExportCommand } from "./commands/export.ts";
import { addGroupCommands } from "./commands/group.ts";
import { addImportCommand } from "./commands/import.ts";
import { addInfoCommand } from "./commands/info.ts";
import { addKeyCommands } from "./commands/key.ts";
import { addMailCommands } from "./commands/mail.ts";
import { addMcpCommands } from "./commands/mcp.ts";
import { addMigrateCommand } from "./commands/migrate.ts";
import { addRecountCommand } from "./commands/recount.ts";
import { addResealCommand } from "./commands/reseal.ts";
import { addRestoreCommand } from "./commands/restore.ts";
import { addStartCommand } from "./commands/start.ts";
import { addTeamCommands } from "./commands/team.ts";
import { addUserCommands } from "./commands/user.ts";
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
    await programOf((wantsJson) => contextOf(wantsJson, signal, fail)).parseAsync(argv, { from: "user" });
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

function programOf(makeContext: (json: boolean) => Context): Command {
  const program = new Command("kb")
    .description("Run and administer a team knowledge base.")
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  const leaf: AddLeaf = leafOf(makeContext);
  addStartCommand(program, leaf);
  addMigrateCommand(program, leaf);
  addInfoCommand(program, leaf);
  addDoctorCommand(program, leaf);
  addTeamCommands(program, leaf);
  addUserCommands(program, leaf);
  addGroupCommands(program, leaf);
  addKeyCommands(program, leaf);
  addChannelCommands(program, leaf);
  addMcpCommands(program, leaf);
  addMailCommands(program, leaf);
  addImportCommand(program, leaf);
  addExportCommand(program, leaf);
  addBackupCommand(program, leaf);
  addRestoreCommand(program, leaf);
  addResealCommand(program, leaf);
  addRecountCommand(program, leaf);
  return program;
}
