import { createTypedCode, hashTypedCode } from "@kb/auth";
import { newId } from "@kb/db";
import { findUser } from "../admin/users.ts";
import type { Service } from "../context.ts";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Issues the code with which the first admin sets up the team at `/setup`; earlier ones of the user end. It is valid for 24
 * hours, and only in this answer.
 * @throws {ServiceError} `not_found`
 */
export async function issueSetupCode(service: Service, adminEmail: string): Promise<string> {
  const { teamId, id: userId, email } = await findUser(service, adminEmail);
  const code = createTypedCode();
  const hash = hashTypedCode("setup", code);
  if (hash === null) throw new Error("a code that was just created has another form");
  const purpose = "setup";
  const createdAt = service.clock.now();
  const expiresAt = new Date(createdAt.getTime() + dayMs);
  await service.database.transaction(async (tx) => {
    await tx.passwordReset.deleteMany({ where: { teamId, userId, purpose } });
    await tx.passwordReset.create({
      data: { teamId, id: newId(), userId, email, hash, purpose, createdAt, expiresAt },
      select: { id: true },
    });
  });
  return code;
}
