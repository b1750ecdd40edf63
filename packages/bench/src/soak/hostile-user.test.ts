import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { sampleSubjects } from "../worst/subjects.ts";
import { startHostileUser } from "./hostile-user.ts";

it("a hostile user counts the answer of a service that begins no session, and goes on", {
  timeout: 120_000,
}, async () => {
  let asked = 0;
  const server = createServer((incoming, response) => {
    const isInitialize = incoming.url === "/api/mcp" && incoming.headers["mcp-session-id"] === undefined;
    if (isInitialize) asked += 1;
    incoming.resume().on("end", () => response.writeHead(isInitialize ? 503 : 400).end("{}"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = asAddress(server.address());
  const credentials = { key: {}, session: {}, channel: {}, reader: {} };
  const hostile = startHostileUser({ origin: `http://127.0.0.1:${port}`, credentials, subjects: sampleSubjects });
  try {
    await expect.poll(() => asked, { timeout: 90_000 }).toBeGreaterThan(1);
    const statuses = await hostile.stop();
    expect(statuses.get(503)).toBeGreaterThan(1);
    expect(statuses.get(400)).toBeGreaterThan(0);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that listens on a port has an address of this type. */
const asAddress = (address: AddressInfo | string | null): AddressInfo => address as AddressInfo;
