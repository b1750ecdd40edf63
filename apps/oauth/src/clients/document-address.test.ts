import { describe, expect, it } from "vitest";
import { documentAddressProblem } from "./document-address.ts";

describe("an id that is the address of a metadata document (Client ID Metadata Document §3)", () => {
  it.each([
    "https://example.com/client.json",
    "https://example.com:8443/client.json",
    "https://example.com:443/client.json",
    "https://example.com/a/b/",
    "https://example.com/client?v=1",
    "https://example.com/.well-known/client",
    "https://example.com/a..b",
  ])("accepts %s", { meta: { proves: ["decision.oauth.documents"] } }, (id) => {
    expect(documentAddressProblem(id)).toBeUndefined();
  });

  it.each([
    ["MUST use the https scheme", "http://example.com/client.json"],
    ["MUST use the https scheme, as it is written", "HTTPS://example.com/client.json"],
    ["MUST contain a path component", "https://example.com"],
    ["the path / is nobody's client", "https://example.com/"],
    ["a query is no path", "https://example.com?x=/client.json"],
    ["MUST NOT contain single-dot components", "https://example.com/./client.json"],
    ["MUST NOT contain double-dot components", "https://example.com/a/../client.json"],
    ["MUST NOT contain dot components, escaped", "https://example.com/a/%2E%2e/client.json"],
    ["MUST NOT contain dot components at the end", "https://example.com/a/.."],
    ["MUST NOT contain a fragment", "https://example.com/client.json#x"],
    ["MUST NOT contain an empty fragment", "https://example.com/client.json#"],
    ["MUST NOT contain a user name", "https://user@example.com/client.json"],
    ["MUST NOT contain a password", "https://user:secret@example.com/client.json"],
    ["MUST NOT contain an empty user", "https://@example.com/client.json"],
    ["is no address", "https://"],
    ["has a backslash", "https://example.com\\client.json"],
    ["has a host in upper case", "https://EXAMPLE.com/client.json"],
    ["is written in a second way, with the dot of the root", "https://example.com./client.json"],
    ["has a tab", "https://example.com/\tclient.json"],
    ["is too long", `https://example.com/${"a".repeat(1_000)}`],
  ])("rejects %s: %j", { meta: { proves: ["decision.oauth.documents"] } }, (_clause, id) => {
    expect(documentAddressProblem(id)).toMatch(/^its? /);
  });
});
