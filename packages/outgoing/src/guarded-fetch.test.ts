import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { startStopwatch } from "@kb/testing/event-loop-time";
import { privateOrigins } from "@kb/testing/private-origins";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { guardedFetch } from "./guarded-fetch.ts";
import type { Resolve } from "./guarded-lookup.ts";
import { OutgoingError } from "./outgoing-error.ts";
import { isPublicAddress } from "./public-address.ts";

let server: Server;
let port: number;
let connections = 0;
let answer: RequestListener = (_request, response) => response.end("reached");

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  server.on("connection", () => {
    connections += 1;
  });
  // Every address of the machine, of both families.
  await new Promise<void>((resolve) => server.listen(0, "::", resolve));
  port = portOf(server);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  connections = 0;
});

const portOf = (listening: Server): number => {
  const address: AddressInfo | string | null = listening.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

const asking = { timeoutMs: 2_000, maxBytes: 1_000 };
const resolving = (...addresses: string[]): Resolve => {
  return (_hostname, found) =>
    found(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
};

describe("addresses of private networks", () => {
  it.each(privateOrigins)("%s is refused, and nothing is reached", async (_name, origin) => {
    const asked = guardedFetch()(`${origin}:${port}/`, asking);
    await expect(asked).rejects.toThrow(OutgoingError);
    await expect(asked).rejects.toMatchObject({ code: "refused" });
    expect(connections).toBe(0);
  });

  it("are reached where private networks are allowed, so the server does answer", async () => {
    const outgoing = guardedFetch({ allowPrivateNetwork: true });
    for (const origin of ["http://127.0.0.1", "http://[::1]", "http://2130706433"]) {
      const { status, body } = await outgoing(`${origin}:${port}/`, asking);
      expect([status, new TextDecoder().decode(body)]).toEqual([200, "reached"]);
    }
  });

  it("refuses a name with one private address among public ones", async () => {
    for (const addresses of [
      ["93.184.215.14", "127.0.0.1"],
      ["127.0.0.1", "93.184.215.14"],
      ["2606:2800::1", "::1"],
      [],
    ]) {
      const asked = guardedFetch({ resolve: resolving(...addresses) })(`http://mixed.example:${port}/`, asking);
      await expect(asked).rejects.toMatchObject({ code: "refused" });
    }
    expect(connections).toBe(0);
  });

  it("refuses a name that turns private between the check and the connection", async () => {
    let asked = 0;
    const rebinding: Resolve = (hostname, found) => {
      asked += 1;
      resolving(asked % 2 === 1 ? "93.184.215.14" : "127.0.0.1")(hostname, found);
    };
    const outgoing = guardedFetch({ resolve: rebinding });
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await expect(outgoing(`http://rebinding.example:${port}/`, { ...asking, timeoutMs: 100 })).rejects.toThrow(
        OutgoingError,
      );
    }
    expect(connections).toBe(0);
  });

  it("refuses addresses that are not HTTP or contain a user name", async () => {
    const urls = [
      "file:///etc/passwd",
      "ftp://example.com/",
      "gopher://127.0.0.1/",
      "data:text/plain,x",
      "//x",
      "",
      "http://",
    ];
    for (const url of [...urls, `http://user@127.0.0.1:${port}/`, `http://user:secret@example.com:${port}/`]) {
      await expect(guardedFetch({ allowPrivateNetwork: true })(url, asking), url).rejects.toMatchObject({
        code: "refused",
      });
    }
    expect(connections).toBe(0);
  });

  it("special ranges are not public, the addresses next to them are", () => {
    const inside = ["172.31.255.255", "100.64.0.1", "192.168.1.1", "198.19.0.1", "224.0.0.1", "255.255.255.255"];
    const inside6 = [
      "fc00::1",
      "ff02::1",
      "2001::1",
      "2001:db8::1",
      "64:ff9b:1::1",
      "64:ff9b::10.1.1.1",
      "fe80::1%lo",
      "::2",
    ];
    for (const address of [...inside, ...inside6, "", "example.com"])
      expect(isPublicAddress(address), address).toBe(false);
    const outside = ["172.32.0.1", "100.128.0.1", "11.0.0.1", "8.8.8.8", "2606:4700::1111", "64:ff9b::8.8.8.8"];
    for (const address of outside) expect(isPublicAddress(address), address).toBe(true);
  });
});

describe("an answer", () => {
  const outgoing = guardedFetch({ allowPrivateNetwork: true });
  const ask = (options: object = {}) => outgoing(`http://127.0.0.1:${port}/`, { ...asking, ...options });

  it("that redirects is returned, not followed", async () => {
    answer = (_request, response) => response.writeHead(302, { Location: "http://example.com/" }).end();
    const { status, headers } = await ask();
    expect([status, headers.location]).toEqual([302, "http://example.com/"]);
    expect(connections).toBeLessThanOrEqual(1);
  });

  it("that never ends is truncated at the maximum size, or an error", async () => {
    let sent = 0;
    answer = (_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) sent += 64 * 1024;
      };
      response.on("drain", more);
      more();
    };
    const { body, truncated } = await ask({ maxBytes: 2_048, onOversize: "truncate" });
    expect([body.byteLength, truncated]).toEqual([2_048, true]);
    await expect(ask({ maxBytes: 2_048 })).rejects.toMatchObject({ code: "too_large" });
    expect(sent).toBeLessThan(50_000_000);
  });

  it("is truncated at a size of its own where its status is not 200", async () => {
    let status = 302;
    answer = (_request, response) => response.writeHead(status).end(Buffer.alloc(4_096));
    for (status of [302, 404]) {
      const { body, truncated } = await ask({ maxBytes: 2_048, maxOtherBytes: 1_024 });
      expect([body.byteLength, truncated], String(status)).toEqual([1_024, true]);
    }
    status = 200;
    await expect(ask({ maxBytes: 2_048, maxOtherBytes: 1_024 })).rejects.toMatchObject({ code: "too_large" });
  });

  it("that never comes, or trickles in, ends at the timeout", async () => {
    answer = () => {};
    const elapsedMs = startStopwatch();
    await expect(ask({ timeoutMs: 150 })).rejects.toMatchObject({ code: "timeout" });
    answer = (_request, response) => {
      const drip = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(drip));
    };
    await expect(ask({ timeoutMs: 150 })).rejects.toMatchObject({ code: "timeout" });
    expect(elapsedMs()).toBeLessThan(1_500);
  });

  it("follows a request that arrived with its method, headers and body", async () => {
    answer = (request, response) => {
      let text = "";
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("end", () => response.end(JSON.stringify([request.method, request.headers["x-mark"], text])));
    };
    const { body } = await ask({ method: "POST", headers: { "X-Mark": "1" }, body: "{}" });
    expect(JSON.parse(new TextDecoder().decode(body))).toEqual(["POST", "1", "{}"]);
  });

  it("of a port without a listener is an error that names the host", async () => {
    await expect(outgoing("http://127.0.0.1:1/", asking)).rejects.toMatchObject({
      code: "failed",
      message: expect.stringContaining("127.0.0.1:1"),
    });
  });
});
