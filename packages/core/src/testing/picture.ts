import { newId } from "@kb/db";
import { dot } from "./matrix/subjects.ts";
import type { World } from "./world.ts";

/** Gives a user of the world a picture of one pixel, and returns its version. */
export async function givePicture({ service, teamId }: World, userId: string): Promise<string> {
  const { version, ...stored } = storedDot(service.clock.now());
  const picture = { version, size: dot.length, ...stored };
  await service.database.client.userPicture.upsert({
    where: { teamId_userId: { teamId, userId } },
    create: { teamId, userId, ...picture },
    update: picture,
  });
  return version;
}

/** Gives the team of the world a logo of one pixel, and returns its version. */
export async function giveLogo({ service, teamId }: World): Promise<string> {
  const logo = storedDot(service.clock.now());
  await service.database.client.teamLogo.upsert({
    where: { teamId },
    create: { teamId, ...logo },
    update: logo,
  });
  return logo.version;
}

const storedDot = (createdAt: Date) => ({ contentType: "image/png", version: newId(), bytes: dot, createdAt });
