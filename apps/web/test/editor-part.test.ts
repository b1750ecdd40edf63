import { expect, it } from "vitest";
import { part } from "../src/client/editor/part.ts";

it("loads a part of the editor once for all who need it, and again after it did not come", async () => {
  let count = 0;
  const tables = part(() => {
    count += 1;
    return count === 1 ? Promise.reject(new Error("Offline")) : Promise.resolve({ count });
  });
  await expect(tables.load()).rejects.toThrow("Offline");
  expect(tables.current).toBeUndefined();
  const both = await Promise.all([tables.load(), tables.load()]);
  expect(both).toEqual([{ count: 2 }, { count: 2 }]);
  expect(await tables.load()).toBe(tables.current);
  expect(count).toBe(2);
});
