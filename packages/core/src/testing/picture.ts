import { newId } from "@kb/db";
import { dot } from "./matrix/subjects.ts";
import type { World } from "./world.ts";

/** Gives a user of the world a picture of one pixel, and returns its version. */
export async function givePicture({ service, teamId }: World, userId: string): Promise<string> {
  const version = newId();
  const picture = { contentType: "image/png", version, size: dot.length, bytes: dot, createdAt: service.clock.now() };
  await service.database.client.userPicture.upsert({
    where: { teamId_userId: { teamId, userId } },
    create: { teamId, userId, ...picture },
    update: picture,
  });
  return version;
}
