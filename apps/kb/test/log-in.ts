import { expect } from "vitest";

/** Logs somebody in at a running service as a browser does; returns the cookie of the session. */
export async function logIn(url: string, email: string, password: string): Promise<string> {
  const page = await fetch(`${url}/login`);
  const [guest = ""] = (page.headers.getSetCookie()[0] ?? "").split(";");
  const csrf = /name="csrf" value="([^"]+)"/.exec(await page.text())?.[1] ?? "";
  const answer = await fetch(`${url}/login`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: url, Cookie: guest },
    body: new URLSearchParams({ csrf, email, password, return_to: "/" }),
  });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/"]);
  return (answer.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
}
