import { request } from "node:http";
import type { BenchSite } from "./open-bench-site.ts";
import { percentile } from "./percentile.ts";

/** Returns the 95th percentile of the time until the first byte of a page comes, in milliseconds, one request at a time. */
export async function firstBytes({ origin, token }: BenchSite, path: string, count: number): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < count; run += 1) times.push(await firstByte(`${origin}${path}`, token));
  return percentile(times, 0.95);
}

function firstByte(url: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    const headers = { Cookie: `kb_session=${token}`, Accept: "text/html", "Accept-Encoding": "br" };
    const sent = request(url, { headers }, (response) => {
      let time = Number.NaN;
      response.on("data", () => {
        if (Number.isNaN(time)) time = performance.now() - begun;
      });
      response.on("end", () => {
        if (response.statusCode === 200) resolve(time);
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
    });
    sent.on("error", reject).end();
  });
}
