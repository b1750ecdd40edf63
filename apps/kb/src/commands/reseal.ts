import { sealer } from "@kb/auth";
import { admin } from "@kb/core";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { silently } from "../context.ts";
import { CommandError } from "../failure.ts";
import type { AddLeaf } from "../leaf.ts";
import { keptSecret } from "../start/secret.ts";

const help = `
APP_SECRET is the new secret, APP_SECRET_PREVIOUS the one before. Run it once every process has both. Afterwards the secrets
of webhooks need the new one alone; docs/operations.md says what else has to run out before the old one goes.`;

/** `kb reseal` */
export function addResealCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("reseal")
    .description("after a change of APP_SECRET: seal under it what was sealed under APP_SECRET_PREVIOUS")
    .addHelpText("after", help);
  leaf(command, async ({ settings, output, fail }) => {
    const { appSecretPrevious: previous, dataDir } = settings;
    if (previous === undefined) {
      throw new CommandError("usage", "Set APP_SECRET to the new secret, and APP_SECRET_PREVIOUS to the one before.");
    }
    const secret = settings.appSecret ?? keptSecret(dataDir);
    const done = await withService(settings, silently, ({ service }) =>
      admin.resealSecrets(service.database, sealer(secret, "webhooks"), sealer(previous, "webhooks")),
    );
    output.answer({ ...done }, [
      `${done.resealed} secrets sealed anew, ${done.current} were already.`,
      ...(done.unreadable > 0
        ? [`${done.unreadable} open with neither secret: those webhooks need a new secret.`]
        : []),
    ]);
    if (done.unreadable > 0) fail();
  });
}
