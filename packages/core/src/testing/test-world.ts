import { type TestDatabase, testDatabase } from "@kb/db/testing";
import { afterAll } from "vitest";
import { createWorld, type World } from "./world.ts";

/** Creates a database with a world for the tests of one file, and drops it after them. Await it outside of tests and hooks. */
export async function testWorld(
  options?: Parameters<typeof createWorld>[1],
  databaseOptions?: Parameters<typeof testDatabase>[0],
): Promise<{ readonly test: TestDatabase; readonly world: World }> {
  const test = await testDatabase(databaseOptions);
  afterAll(() => test.drop());
  return { test, world: await createWorld(test.database, options) };
}
