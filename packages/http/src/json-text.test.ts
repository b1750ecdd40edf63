import { expect, it } from "vitest";
import { parseJsonText } from "./json-text.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Counts how often other requests had a turn while `work` ran. */
async function turnsOfOthers(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const takeTurn = (): void => {
    turns += 1;
    if (isRunning) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  await work();
  isRunning = false;
  return turns;
}

it("other requests have a turn between many large texts that arrive together", async () => {
  const spaces = encode(`${" ".repeat(4_900_000)}{}`);
  const owners = Array.from({ length: 10 }, (_, n) => `owner ${n}`);
  const turns = await turnsOfOthers(() => Promise.all(owners.map((owner) => parseJsonText(spaces, owner))));
  expect(turns).toBeGreaterThanOrEqual(owners.length - 1);
});

it("other requests have a turn within one text whose scan takes long", async () => {
  const quotes = encode(`{"a":"${'\\"'.repeat(20_000_000)}"}`);
  expect(await turnsOfOthers(() => parseJsonText(quotes, "ada"))).toBeGreaterThan(3);
});

it("a small text is parsed at once, without waiting for large ones", async () => {
  const order: string[] = [];
  const large = [1, 2, 3].map((n) =>
    parseJsonText(encode(`{"a":"${"x".repeat(200_000)}"}`), "ada").then(() => order.push(`large ${n}`)),
  );
  await parseJsonText(encode("{}"), "ada").then(() => order.push("small"));
  await Promise.all(large);
  expect(order.indexOf("small")).toBeLessThan(2);
});

it("a large text has the position of its fault in the message, and no bytes that are not UTF-8", async () => {
  const fault = `{"a":"${"x".repeat(100_000)}",\n\n oops}`;
  await expect(parseJsonText(encode(fault), "ada")).rejects.toThrow("line 3, column 2");
  const bytes = encode(JSON.stringify("x".repeat(100_000)));
  bytes[50_000] = 0xff;
  await expect(parseJsonText(bytes, "ada")).rejects.toThrow("The request body is not valid UTF-8.");
});
