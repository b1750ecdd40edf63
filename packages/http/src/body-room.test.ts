import { describe, expect, it } from "vitest";
import { BodyRoom } from "./body-room.ts";

const limits = { bytes: 300, waiting: 2, waitMs: 60_000 };

/** Enters bodies of an owner, and returns what has happened so far: the names admitted, and those refused with the reason. */
function entering(room: BodyRoom) {
  const admitted: string[] = [];
  const refused: string[] = [];
  const leave = new Map<string, () => void>();
  return {
    admitted,
    refused,
    leave: (name: string): void => leave.get(name)?.(),
    enter: async (owner: string, name: string, bytes: number): Promise<void> => {
      try {
        leave.set(name, await room.enter(owner, bytes));
        admitted.push(name);
      } catch (error) {
        refused.push(`${name} ${errorOf(error)}`);
      }
    },
  };
}

const errorOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error && "retryAfterSeconds" in error
    ? `${error.code} ${error.retryAfterSeconds}`
    : String(error);

/** Lets everything that is admitted or refused be noted. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the large bodies of an owner", () => {
  it("are read at once up to a number of bytes; the others follow in their order", async () => {
    const { admitted, enter, leave } = entering(new BodyRoom(limits));
    for (const name of ["one", "two", "three", "four"]) void enter("ada", name, 150);
    await settled();
    expect(admitted).toEqual(["one", "two"]);
    leave("two");
    await settled();
    expect(admitted).toEqual(["one", "two", "three"]);
    leave("one");
    await settled();
    expect(admitted).toEqual(["one", "two", "three", "four"]);
  });

  it("keep no other owner waiting", async () => {
    const { admitted, enter } = entering(new BodyRoom(limits));
    for (const name of ["one", "two", "three"]) void enter("ada", name, 150);
    void enter("ben", "four", 150);
    await settled();
    expect(admitted).toEqual(["one", "two", "four"]);
  });

  it("wait for those before them, although they would fit", async () => {
    const { admitted, enter, leave } = entering(new BodyRoom(limits));
    void enter("ada", "one", 250);
    void enter("ada", "large", 200);
    void enter("ada", "small", 50);
    await settled();
    expect(admitted).toEqual(["one"]);
    leave("one");
    await settled();
    expect(admitted).toEqual(["one", "large", "small"]);
  });

  it("are refused beyond the number that may wait: 503 with Retry-After", async () => {
    const { admitted, refused, enter } = entering(new BodyRoom(limits));
    for (const name of ["one", "two", "three", "four"]) void enter("ada", name, 300);
    await settled();
    expect({ admitted, refused }).toEqual({ admitted: ["one"], refused: ["four unavailable 2"] });
  });

  it("are refused after a time, and then wait no longer for room", async () => {
    const { admitted, refused, enter, leave } = entering(new BodyRoom({ ...limits, waitMs: 10 }));
    await enter("ada", "one", 250);
    await enter("ada", "two", 200);
    expect({ admitted, refused }).toEqual({ admitted: ["one"], refused: ["two unavailable 2"] });
    leave("one");
    await enter("ada", "three", 300);
    expect(admitted).toEqual(["one", "three"]);
  });

  it("are admitted alone, however large they are", async () => {
    const { admitted, enter } = entering(new BodyRoom(limits));
    await enter("ada", "one", 10_000);
    expect(admitted).toEqual(["one"]);
  });
});
