import type { Edge } from "@kb/http";
import type { Hono } from "hono";

/** The open book of the log-in page on the accent of the light theme. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6b5f"/><path transform="translate(4 4)" fill="none" stroke="#fff" stroke-width="1.8" stroke-linejoin="round" d="M12 6.5C10 5 7 4.6 3.5 5v13c3.5-.4 6.5 0 8.5 1.5 2-1.5 5-1.9 8.5-1.5V5C17 4.6 14 5 12 6.5zM12 6.5v13"/></svg>
`;

/** Says what the app is called and how it opens once it is installed. It names no team: anybody may read it. */
const manifest = {
  id: "/",
  name: "Team knowledge base",
  short_name: "Knowledge base",
  start_url: "/",
  scope: "/",
  display: "standalone",
  background_color: "#f6f4ef",
  theme_color: "#0b6b5f",
  icons: [{ src: "/icon.svg", sizes: "any", type: "image/svg+xml" }],
};

/** Serves the icon of the app and its manifest, by which a browser installs it. A browser asks again after an hour. */
export function serveIdentity(app: Hono<Edge>): void {
  const serve = (path: string, type: string, text: string): void => {
    const headers = { "Content-Type": type, "Cache-Control": "public, max-age=3600" };
    app.get(path, (context) => context.body(text, 200, headers));
  };
  serve("/icon.svg", "image/svg+xml", icon);
  serve("/manifest.webmanifest", "application/manifest+json", JSON.stringify(manifest));
}
