import { ServiceError } from "@kb/core";
import { describe, expect, it } from "vitest";
import { maxJsonBytes, readJsonBody, withBytes } from "./json-body.ts";

const json = { "Content-Type": "application/json" };

function request(body: BodyInit | null, headers: Record<string, string> = json): Request {
  // A stream as a body needs `duplex`, which the DOM's types do not know.
  const init = { method: "POST", body, headers, duplex: "half" };
  return new Request("http://localhost/", init);
}

async function failure(
  body: BodyInit | null,
  headers?: Record<string, string>,
  maxBytes?: number,
): Promise<ServiceError> {
  const error: unknown = await readJsonBody(request(body, headers), "ada", maxBytes).catch((thrown: unknown) => thrown);
  if (error instanceof ServiceError) return error;
  throw new Error("the body was accepted");
}

describe("JSON bodies", () => {
  it("an object is returned together with its bytes", async () => {
    const { value, bytes } = await readJsonBody(request('{"a":[1,null,"é"]}'), "ada");
    expect(value).toEqual({ a: [1, null, "é"] });
    expect(new TextDecoder().decode(bytes)).toBe('{"a":[1,null,"é"]}');
  });

  it("an empty body is an empty object for any content type", async () => {
    expect((await readJsonBody(request("", {}), "ada")).value).toEqual({});
    expect((await readJsonBody(request(null, {}), "ada")).value).toEqual({});
  });

  it.each([
    ["text/plain"],
    ["application/x-www-form-urlencoded"],
    ["application/jsonp"],
    ["application/json; charset=iso-8859-1"],
    [""],
  ])("Content-Type %j is 415", async (type) => {
    expect((await failure("{}", { "Content-Type": type })).code).toBe("unsupported_media_type");
  });

  it.each([["application/json"], ["Application/JSON; charset=UTF-8"], ['application/json;charset="utf-8"']])(
    "Content-Type %j is JSON",
    async (type) => {
      expect((await readJsonBody(request("{}", { "Content-Type": type }), "ada")).value).toEqual({});
    },
  );

  it("a compressed body is 415", async () => {
    const headers = { "Content-Type": "application/json", "Content-Encoding": "gzip" };
    expect((await failure("{}", headers)).code).toBe("unsupported_media_type");
  });

  it("malformed JSON is a validation error that names the position and quotes no content", async () => {
    const error = await failure('{\n  "secret": "abc",\n  oops\n}');
    expect(error.code).toBe("validation_error");
    expect(error.message).toBe("The request body is not valid JSON: line 3, column 3 (offset 23).");
  });

  it.each([["[]"], ["null"], ["1"], ['"text"'], ["true"]])("%s is not an object: 400", async (text) => {
    expect((await failure(text)).message).toBe("The request body must be a JSON object.");
  });

  it("bytes that are not UTF-8 are 400", async () => {
    expect((await failure(new Uint8Array([0x7b, 0xff, 0x7d]))).message).toBe("The request body is not valid UTF-8.");
  });

  it("a key named __proto__ is an ordinary key and changes no prototype", async () => {
    const { value } = await readJsonBody(request('{"__proto__":{"admin":true}}'), "ada");
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(Reflect.get(value, "admin")).toBeUndefined();
    expect(Reflect.get({ ...value }, "admin")).toBeUndefined();
  });
});

describe("the limit of a body", () => {
  it("is 5 MB", () => {
    expect(maxJsonBytes).toBe(5 * 1024 * 1024);
  });

  it("a declared length above the limit is 413 before any byte is read", {
    meta: { proves: ["decision.api.body-limit"] },
  }, async () => {
    const untouched = new ReadableStream(
      {
        pull() {
          throw new Error("the body was read");
        },
      },
      { highWaterMark: 0 },
    );
    const headers = { "Content-Type": "application/json", "Content-Length": "11" };
    expect((await failure(untouched, headers, 10)).code).toBe("payload_too_large");
  });

  it("a chunked body above the limit is 413, and at most one chunk past the limit is read", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          sent += 1024;
          controller.enqueue(new Uint8Array(1024).fill(0x20));
        },
      },
      { highWaterMark: 0 },
    );
    expect((await failure(endless, undefined, 10_000)).code).toBe("payload_too_large");
    expect(sent).toBeLessThanOrEqual(10_000 + 2 * 1024);
  });

  it("a chunked body arrives in at most 10,000 pieces", async () => {
    const inPieces = (text: string): ReadableStream<Uint8Array> =>
      new ReadableStream({
        start(controller) {
          for (const character of text) controller.enqueue(new TextEncoder().encode(character));
          controller.close();
        },
      });
    const shortest = `{"a":"${"x".repeat(9_992)}"}`;
    expect((await readJsonBody(request(inPieces(shortest)), "ada")).bytes).toHaveLength(10_000);
    expect(await failure(inPieces(`${shortest} `))).toMatchObject({ code: "validation_error" });
  });

  it("a body of exactly the limit is read", async () => {
    const text = `{"a":"${"x".repeat(100)}"}`;
    expect((await readJsonBody(request(text), "ada", text.length)).value).toEqual({ a: "x".repeat(100) });
    expect((await failure(text, undefined, text.length - 1)).code).toBe("payload_too_large");
  });

  it("an incomplete body is 400", async () => {
    const broken = new ReadableStream({
      pull(controller) {
        controller.error(new Error("connection reset"));
      },
    });
    expect((await failure(broken)).message).toBe("The request body ended early.");
  });
});

describe("large bodies of one owner", () => {
  const size = 4 * 1024 * 1024;
  const maxBytes = 5 * 1024 * 1024;

  /** Returns a body of spaces, and the number of bytes that were read of it. */
  function spaces() {
    const state = { read: 0 };
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (state.read === size) return controller.close();
          state.read += 1024 * 1024;
          controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
        },
      },
      { highWaterMark: 0 },
    );
    return { state, stream };
  }

  it.each([
    ["declared", { ...json, "Content-Length": String(size) }, 8, 0],
    // A chunk tells that the body is large.
    ["chunked", json, 6, 1024 * 1024],
  ] as const)("a %s one is not read before there is room for it", async (_framing, headers, most, before) => {
    const bodies = Array.from({ length: 12 }, spaces);
    const works: (() => void)[] = [];
    const work = (): Promise<void> => new Promise((resolve) => works.push(resolve));
    const running = bodies.map(({ stream }) => withBytes(request(stream, headers), { owner: "cleo", maxBytes }, work));
    await expect.poll(() => works.length).toBe(most);
    const read = bodies.map(({ state }) => state.read);
    expect(read).toEqual([...Array(most).fill(size), ...Array(bodies.length - most).fill(before)]);
    for (let done = 0; done < bodies.length; done += 1) {
      await expect.poll(() => works.length).toBeGreaterThan(done);
      works[done]?.();
    }
    await Promise.all(running);
  });

  it("a small one is read at once, although there is no room for large ones", async () => {
    const works: (() => void)[] = [];
    const work = (): Promise<void> => new Promise((resolve) => works.push(resolve));
    const running = Array.from({ length: 8 }, () =>
      withBytes(
        request(spaces().stream, { ...json, "Content-Length": String(size) }),
        { owner: "dan", maxBytes },
        work,
      ),
    );
    await expect.poll(() => works.length).toBe(8);
    expect((await readJsonBody(request('{"a":1}'), "dan")).value).toEqual({ a: 1 });
    for (const end of works) end();
    await Promise.all(running);
  });

  it("one without room is 503 once its client has sent everything", async () => {
    const rest: (() => void)[] = [];
    const work = (): Promise<void> => new Promise((resolve) => rest.push(resolve));
    const headers = { ...json, "Content-Length": String(size) };
    const running = Array.from({ length: 72 }, () =>
      withBytes(request(spaces().stream, headers), { owner: "eve", maxBytes }, work),
    );
    const { state, stream } = spaces();
    await expect(withBytes(request(stream, headers), { owner: "eve", maxBytes }, work)).rejects.toMatchObject({
      code: "unavailable",
      retryAfterSeconds: 2,
    });
    expect(state.read).toBe(size);
    for (let done = 0; done < running.length; done += 1) {
      await expect.poll(() => rest.length).toBeGreaterThan(done);
      rest[done]?.();
    }
    await Promise.all(running);
  });
});
