import { sealer } from "@kb/auth";
import * as admin from "@kb/core/admin";
import type { Command } from "commander";
import { withService } from "../access.ts";
import { noProgress } from "../context.ts";
import { CommandError } from "../failure.ts";
import type { AddLeaf } from "../leaf.ts";
import { keptSecret } from "../start/secret.ts";

const help = `
Set APP_SECRET to the new secret and APP_SECRET_PREVIOUS to the previous one. Run this once when every process has both.
Afterwards the secrets of webhooks and second factors, and the links of waiting mails, need only the new one. docs/operations.md explains when you can remove the previous one.`;

/** `kb reseal` */
export function addResealCommand(program: Command, leaf: AddLeaf): void {
  const command = program
    .command("reseal")
    .description("encrypt the stored secrets again after a change of APP_SECRET")
    .addHelpText("after", help);
  leaf(command, async ({ settings, output, fail }) => {
    const { appSecretPrevious: previous, dataDir } = settings;
    if (previous === undefined) {
      throw new CommandError("usage", "Set APP_SECRET to the new secret and APP_SECRET_PREVIOUS to the previous one.");
    }
    const secret = settings.appSecret ?? keptSecret(dataDir);
    const sealersOf = (purpose: "webhooks" | "mails") => ({
      present: sealer(secret, purpose),
      previous: sealer(previous, purpose),
    });
    const result = await withService(settings, noProgress, ({ service }) =>
      admin.resealSecrets(service.database, { webhooks: sealersOf("webhooks"), mails: sealersOf("mails") }),
    );
    output.answer({ ...result }, [
      `${result.resealed} secrets encrypted again, ${result.current} were up to date.`,
      ...(result.unreadable > 0
        ? [
            `${result.unreadable} cannot be decrypted with either secret: give those webhooks a new secret, reset those second factors, and send those invitations and links again.`,
          ]
        : []),
    ]);
    if (result.unreadable > 0) fail();
  });
}
