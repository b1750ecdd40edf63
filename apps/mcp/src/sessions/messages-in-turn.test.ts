import { HeavyAnswers, heavyBytes } from "@kb/http";
import { expect, it } from "vitest";
import { messagesInTurn } from "./messages-in-turn.ts";

const signal = new AbortController().signal;
const disconnect = (): void => {};
const heavy = new Uint8Array(heavyBytes);
const light = new Uint8Array(10);

const toUser = (userId: string, messages: readonly Uint8Array[], turns: HeavyAnswers) =>
  messagesInTurn(
    (async function* () {
      yield* messages;
    })(),
    { userId, signal, disconnect },
    turns,
  );

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("messages up to a megabyte together wait for nobody; the others have a turn each, which lasts until the next is asked for", async () => {
  const turns = new HeavyAnswers({ running: 1 });
  const ada = toUser("ada", [light, heavy, light], turns);
  const bob = toUser("bob", [light, heavy], turns);
  await ada.next();
  await ada.next();
  await bob.next();
  let isBobsTurn = false;
  const second = bob.next().then(() => {
    isBobsTurn = true;
  });
  await settled();
  expect(isBobsTurn).toBe(false);
  // Ada's third message waits for Bob's second, although it is short.
  const third = ada.next();
  await second;
  await bob.next();
  expect(await third).toEqual({ done: false, value: light });
});

it("an answer that waits for its next message keeps nobody waiting, and one whose client is gone gives its turn back", async () => {
  const turns = new HeavyAnswers({ running: 1 });
  const { promise: never } = Promise.withResolvers<never>();
  const asking = messagesInTurn(
    (async function* () {
      yield heavy;
      await never;
    })(),
    { userId: "ada", signal, disconnect },
    turns,
  );
  await asking.next();
  void asking.next();
  const bob = toUser("bob", [heavy], turns);
  expect(await bob.next()).toEqual({ done: false, value: heavy });
  await bob.return(undefined);
  expect(await toUser("eve", [heavy], turns).next()).toEqual({ done: false, value: heavy });
});
