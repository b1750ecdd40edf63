/** Schemes without a dot that belong to known apps for use with assistants. */
const knownApps: ReadonlySet<string> = new Set([
  "antigravity",
  "boltai",
  "chatgpt",
  "cherrystudio",
  "claude",
  "code-oss",
  "codex",
  "copilot",
  "cursor",
  "cursor-nightly",
  "gemini",
  "goose",
  "insomnia",
  "jetbrains",
  "kiro",
  "librechat",
  "linear",
  "lmstudio",
  "mcp",
  "mistral",
  "msty",
  "notion",
  "obsidian",
  "perplexity",
  "poe",
  "positron",
  "postman",
  "raycast",
  "slack",
  "trae",
  "vscode",
  "vscode-insiders",
  "vscodium",
  "warp",
  "windsurf",
  "windsurf-next",
  "witsy",
  "zed",
]);

/**
 * Schemes with a dot that an operating system handles itself: the settings of macOS, the camera and photo pickers of Windows,
 * and the names that Windows reserves (learn.microsoft.com, "Reserved file and URI scheme names").
 */
const systemHandlers =
  /^(?:(?:x-apple|com\.apple|android|com\.android|microsoft|windows|application|chm|explorer|msi|wmp\d*)\..+|com\.microsoft\.(?:3dviewer|builder3d))$/;

const reverseDomain = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+$/;

/**
 * Whether a scheme can only belong to an app: it has a dot, as RFC 8252 §7.1 requires (`com.example.app`), and is no handler
 * of an operating system, or it is the name of a known app (`cursor`). This excludes `javascript`, `data`, `file` and every
 * other scheme of a browser.
 */
export function isPrivateUseScheme(scheme: string): boolean {
  return knownApps.has(scheme) || (reverseDomain.test(scheme) && !systemHandlers.test(scheme));
}
