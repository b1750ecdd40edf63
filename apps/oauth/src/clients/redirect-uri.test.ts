import { anyCharacter } from "@kb/testing/characters";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { destinationOf, isRegisteredRedirectUri, redirectUriProblem } from "./redirect-uri.ts";

const good = [
  "https://claude.ai/api/mcp/auth_callback",
  "https://claude.com/api/mcp/auth_callback",
  "https://chatgpt.com/connector/oauth/abc-123",
  "https://vscode.dev/redirect",
  "https://example.com",
  "https://example.com/",
  "https://example.com:8443/cb?tenant=a%20b&x=1",
  "https://192.168.1.7/cb",
  "http://localhost:33418/callback",
  "http://localhost/callback",
  "http://localhost",
  "http://127.0.0.1:33418",
  "http://127.0.0.1:33418/",
  "http://127.0.0.1:80/x?y=z",
  "http://[::1]:4711/oauth/callback",
  "cursor://anysphere.cursor-mcp/oauth/user-abc/callback",
  "vscode://vscode.github-authentication/did-authenticate",
  "com.example.app:/oauth2redirect",
  "com.example.app://callback",
  "com.microsoft.copilot://callback",
  "com.applecart.app:/callback",
  "app.windows.example:/callback",
];

const bad: readonly [string, string][] = [
  ["no scheme", "example.com/cb"],
  ["a path", "/cb"],
  ["nothing", ""],
  ["a fragment", "https://example.com/cb#x"],
  ["an empty fragment", "https://example.com/cb#"],
  ["a user", "https://claude.ai@evil.example/cb"],
  ["a user and a password", "https://claude.ai:443@evil.example/cb"],
  ["a user of nothing", "https://@evil.example/cb"],
  ["a wildcard host", "https://*.example.com/cb"],
  ["a wildcard path", "https://example.com/*"],
  ["plain http", "http://example.com/cb"],
  ["http in a private network", "http://192.168.1.7/cb"],
  ["a host that begins like localhost", "http://localhost.evil.example/cb"],
  ["localhost as a user", "http://localhost:80@evil.example/cb"],
  ["localhost with a dot", "http://localhost./cb"],
  ["loopback in another form", "http://127.1/cb"],
  ["loopback in decimal", "http://2130706433/cb"],
  ["another loopback address", "http://127.0.0.2/cb"],
  ["a port that there is not", "http://localhost:99999/cb"],
  ["javascript", "javascript:alert(1)"],
  ["javascript in mixed case", "JaVaScRiPt:alert(1)"],
  ["javascript with slashes", "javascript://example.com/%0aalert(1)"],
  ["javascript behind a space", " javascript:alert(1)"],
  ["javascript behind a control character", "\u0001javascript:alert(1)"],
  ["javascript with a tab inside", "java\tscript:alert(1)"],
  ["javascript with a line feed inside", "java\nscript:alert(1)"],
  ["data", "data:text/html,x"],
  ["file", "file:///etc/passwd"],
  ["vbscript", "vbscript:x"],
  ["blob", "blob:https://example.com/x"],
  ["about", "about:blank"],
  ["ws", "ws://localhost/cb"],
  ["wss", "wss://example.com/cb"],
  ["mailto", "mailto:a@example.com"],
  ["ftp", "ftp://example.com/cb"],
  ["intent", "intent://x"],
  ["view-source", "view-source:https://example.com"],
  ["an unknown app without a dot", "myapp://cb"],
  ["a host and a port", "example.com:80"],
  ["an app's scheme without a path", "cursor:"],
  ["an app's scheme and slashes", "cursor://"],
  ["an app's scheme in mixed case", "Cursor://anysphere.cursor-mcp/cb"],
  ["a user of an app", "cursor://user@anysphere.cursor-mcp/cb"],
  ["the settings of macOS", "x-apple.systempreferences:/com.apple.preference"],
  ["a part of macOS or iOS", "com.apple.shortcuts://run"],
  ["the camera of Windows", "microsoft.windows.camera:/x"],
  ["a viewer of Windows", "com.microsoft.3dviewer:/x"],
  ["a type of file that Windows installs", "msi.package://x"],
  ["a command of Windows Explorer", "explorer.assocactionid.erasedisc:/x"],
  ["scripts of Windows", "microsoft.powershellscript.1:/x"],
  ["a gadget of Windows", "windows.gadget:/x"],
  ["an application manifest of Windows", "application.manifest:/x"],
  ["a help file of Windows", "chm.file:/x"],
  ["a media protocol of Windows", "wmp11.assocprotocol.mms:/x"],
  ["a part of Android", "com.android.settings://x"],
  ["https in mixed case", "HTTPS://example.com/cb"],
  ["https without slashes", "https:example.com/cb"],
  ["https with one slash", "https:/example.com/cb"],
  ["https with three slashes", "https:///example.com/cb"],
  ["a backslash", "https://example.com\\@evil.example/cb"],
  ["an escaped backslash", "https://example.com/%5c"],
  ["a host in upper case", "https://EXAMPLE.com/cb"],
  ["a host in other letters", "https://exаmple.com/cb"],
  ["a full-width host", "https://ｅvil.example/cb"],
  ["dot segments", "https://example.com/a/../cb"],
  ["the default port", "https://example.com:443/cb"],
  ["a space", "https://example.com/a b"],
  ["a line feed", "https://example.com/cb\r\nSet-Cookie: x=y"],
  ["an escaped line feed", "https://example.com/cb%0d%0aSet-Cookie:x"],
  ["an escaped NUL", "https://example.com/%00"],
  ["a NUL", "https://example.com/\u0000"],
  ["half an escape", "https://example.com/%zz"],
  ["a quote", 'https://example.com/"onload=x'],
  ["angle brackets", "https://example.com/<script>"],
  ["a turn of direction", "https://example.com/\u202egpj"],
  ["a lone surrogate", "https://example.com/\ud800"],
  ["too long a one", `https://example.com/${"a".repeat(2_000)}`],
];

describe("the registration of a redirect URI", () => {
  it.each(good)("accepts %s", { meta: { proves: ["decision.oauth.redirect-uris"] } }, (uri) => {
    expect(redirectUriProblem(uri)).toBeUndefined();
  });

  it.each(bad)(
    "rejects %s, with the reason: %j",
    { meta: { proves: ["decision.oauth.redirect-uris"] } },
    (_name, uri) => {
      expect(redirectUriProblem(uri)).toMatch(/^(its?|http|apps) /);
    },
  );

  it("accepts only URIs in normal form, with the same target for every parser, without a user and a fragment", {
    meta: { proves: ["decision.oauth.redirect-uris"] },
  }, () => {
    const schemes = fc.constantFrom("https", "http", "cursor", "com.example", "javascript", "data", "HTTPS", "");
    const hosts = fc.constantFrom("localhost", "127.0.0.1", "[::1]", "example.com", "a@b", "0x7f.1", "LOCALHOST");
    const text = fc.string({ unit: anyCharacter, maxLength: 12 });
    const pieces = fc.constantFrom(":", "/", "//", "@", "#", "\\", "%", "?", "*", "\t", "..", ":80", "%2e");
    const parts = fc.array(fc.oneof(schemes, hosts, text, pieces), { maxLength: 8 }).map((all) => all.join(""));
    const address = fc
      .tuple(schemes, fc.constantFrom("://", ":", ":/"), hosts, parts)
      .map(([scheme, colon, host, rest]) => `${scheme}${colon}${host}${rest}`);
    fc.assert(
      fc.property(fc.oneof(address, parts, fc.webUrl({ withFragments: true, withQueryParameters: true })), (uri) => {
        if (redirectUriProblem(uri) !== undefined) return;
        const url = new URL(uri);
        expect([url.username, url.password, url.hash]).toEqual(["", "", ""]);
        // Any scheme with a dot is an app's.
        expect(uri).toMatch(
          /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])([:/?]|$)|cursor:|[a-z][a-z\d+-]*(\.[a-z\d+-]+)+:)/,
        );
        expect(uri).not.toMatch(/[^\x21-\x7e]|[#*\\]/);
        if (url.protocol === "https:") expect([uri, `${uri}/`]).toContain(url.href);
        const { kind, shown } = destinationOf(uri);
        if (kind === "web") expect(uri.startsWith(`https://${shown}`)).toBe(true);
        if (kind === "loopback") expect(shown).toMatch(/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("the match of a redirect URI", () => {
  it("OAuth 2.1 §2.3.1: must be exact", { meta: { proves: ["decision.oauth.redirect-uris"] } }, () => {
    const registered = ["https://example.com/cb", "com.example.app:/cb"];
    for (const own of registered) expect(isRegisteredRedirectUri(registered, own)).toBe(true);
    const others = [
      "https://example.com/cb/",
      "https://example.com/cb?x",
      "https://example.com/CB",
      "https://example.com",
    ];
    for (const other of [
      ...others,
      "https://example.com:444/cb",
      "http://example.com/cb",
      "com.example.app:/cb2",
      "",
    ]) {
      expect(isRegisteredRedirectUri(registered, other), other).toBe(false);
    }
  });

  it("RFC 8252 §7.3: ignores the port of a loopback address, and is otherwise exact", {
    meta: { proves: ["decision.oauth.redirect-uris"] },
  }, () => {
    const registered = ["http://localhost:1000/cb", "http://127.0.0.1/cb", "http://[::1]:1/cb?x=1", "http://localhost"];
    for (const own of [
      "http://localhost:65535/cb",
      "http://localhost/cb",
      "http://127.0.0.1:8080/cb",
      "http://[::1]/cb?x=1",
      "http://localhost:7",
    ]) {
      expect(isRegisteredRedirectUri(registered, own), own).toBe(true);
    }
    for (const other of [
      "http://localhost:1/other",
      "http://127.0.0.1:1/",
      "http://[::1]:1/cb",
      "https://localhost:1/cb",
      "http://localhost:65536/cb",
      "http://localhost:/cb",
      "http://localhost:1@evil.example/cb",
      "http://localhost.evil.example/cb",
      "http://localhost:80:80/cb",
      "http://localhost\\cb",
      "http://127.0.0.1:1:/cb",
    ]) {
      expect(isRegisteredRedirectUri(registered, other), other).toBe(false);
    }
  });

  it("fails for every variation of a registered URI", {
    meta: { proves: ["decision.oauth.redirect-uris"] },
  }, () => {
    const registered = ["https://example.com/cb", "http://localhost/cb"];
    const pieces = fc.constantFrom(
      "https://example.com",
      "http://localhost",
      "/cb",
      ":8080",
      "@",
      "evil.example",
      "?",
      "/",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 6 }), (all) => {
        const presented = all.join("");
        const own = presented === "https://example.com/cb" || /^http:\/\/localhost(:8080)?\/cb$/.test(presented);
        expect(isRegisteredRedirectUri(registered, presented)).toBe(own);
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("the description of a redirect URI on the consent page", () => {
  it.each([
    ["https://claude.ai/api/mcp/auth_callback", "web", "claude.ai"],
    ["https://example.com:8443/cb", "web", "example.com:8443"],
    ["https://xn--e1awd7f.example/cb", "web", "xn--e1awd7f.example"],
    ["http://localhost:33418/callback", "loopback", "localhost:33418"],
    ["http://[::1]:1/callback", "loopback", "[::1]:1"],
    ["cursor://anysphere.cursor-mcp/cb", "app", "cursor"],
    ["com.example.app:/cb", "app", "com.example.app"],
  ])("%s is %s %s", (uri, kind, shown) => {
    expect(destinationOf(uri)).toEqual({ kind, shown });
  });
});
