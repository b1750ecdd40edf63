import { expect, it } from "vitest";
import { compose } from "../src/start/compose.ts";

const named = (name: string) => () => new Response(name);

it("a path and everything below it reaches the app that owns it, and no other", async () => {
  const fetch = compose(
    [
      { paths: ["/login", "/logout"], answer: named("oauth") },
      { paths: ["/api/mcp"], answer: named("mcp") },
    ],
    named("rest"),
  );
  const asked = async (path: string): Promise<string> => {
    const answer = await fetch(new Request(new URL(path, "http://localhost:3000")), Object.create(null));
    return answer instanceof Response ? answer.text() : "no answer";
  };
  for (const path of ["/login", "/login/sso?x=/api/mcp", "/logout"]) expect(await asked(path)).toBe("oauth");
  for (const path of ["/api/mcp", "/api/mcp/x"]) expect(await asked(path)).toBe("mcp");
  for (const path of ["/", "/loginx", "/api/login", "/api/mcpx", "/Login", "/api/v1/me"]) {
    expect(await asked(path)).toBe("rest");
  }
});
