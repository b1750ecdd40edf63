import { randomUUID } from "node:crypto";
import { keyBelow, parseAddress } from "../backup/address.ts";
import { requireRecipients } from "../backup/encryption.ts";
import { explained, openBackups } from "../backup/open-backups.ts";
import { type Backups, findBackups, timeOf } from "../backup/rotation.ts";
import type { Settings } from "../env.ts";
import { type Finding, fail, ok, reason, warn } from "./finding.ts";

const longestDays = 8;
/** Three attempts end before an impatient person does. */
const silenceMs = 5_000;
const dayMs = 24 * 60 * 60 * 1000;

/** Checks the place of backups as `kb backup` uses it, and the age of the newest one, if one is set. */
export async function backupsFindings(settings: Settings): Promise<Finding[]> {
  const { BACKUP_TO, BACKUP_RECIPIENTS: recipients, BACKUP_KEEP: keep } = settings.backups;
  const address = BACKUP_TO === undefined ? null : parseAddress(BACKUP_TO);
  if (BACKUP_TO === undefined || address === null) return [];
  try {
    await requireRecipients(recipients);
    const bucket = openBackups(settings, address, { silenceMs });
    // Only a rotation removes: a key that may not is safer if nothing rotates.
    const probe = keyBelow(address, `kb-doctor-${randomUUID()}`);
    if (keep !== undefined) await explained(address, "write and remove", () => writeAndRemove(bucket, probe));
    const files = await explained(address, "list backups", () => bucket.list(keyBelow(address, "kb-")));
    const found = findBackups(address, files);
    return [ageFinding(BACKUP_TO, found), ...encryptionFindings(recipients)];
  } catch (error) {
    return [fail("backups", reason(error))];
  }
}

async function writeAndRemove(bucket: ReturnType<typeof openBackups>, key: string): Promise<void> {
  async function* bytes() {
    yield Buffer.from("written by a check");
  }
  await bucket.put(key, bytes(), 0);
  await bucket.remove(key);
}

function ageFinding(place: string, { complete }: Backups): Finding {
  const [newest] = complete;
  if (newest === undefined)
    return warn("backups", `there is none in ${place} yet: run \`kb backup\`, and schedule it.`);
  const days = Math.floor((Date.now() - timeOf(newest).getTime()) / dayMs);
  const state = `${complete.length} in ${place}, the newest of ${timeOf(newest).toISOString()}`;
  return days < longestDays ? ok("backups", state) : warn("backups", `${state}: find out why there is none since.`);
}

function encryptionFindings(recipients: readonly string[]): Finding[] {
  if (recipients.length > 0) return [];
  return [warn("backups", "BACKUP_RECIPIENTS is not set: `kb backup` requires --recipient or --no-encryption.")];
}
