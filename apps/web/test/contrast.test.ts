import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(join(import.meta.dirname, "../src/client/style/tokens.css"), "utf8");

/** The colors of a token, light and dark. */
function colorsOf(token: string): [string, string] {
  const [, light, dark] = new RegExp(`--${token}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css) ?? [];
  if (light === undefined || dark === undefined) throw new Error(`--${token} is not in tokens.css`);
  return [light, dark];
}

/** The relative luminance of a color (WCAG 2.2). */
function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const surfaces = ["paper", "card", "sunk"];
const text: readonly [string, readonly string[]][] = [
  ["ink", [...surfaces, "accent-paper", "warn-paper", "alarm-paper", "mark"]],
  ["quiet", surfaces],
  ["accent", ["paper", "card", "accent-paper"]],
  ["on-accent", ["accent"]],
  ["alarm", ["paper", "alarm-paper"]],
  ["warn", ["warn-paper"]],
  ...["code-word", "code-string", "code-number", "code-comment", "code-name"].map(
    (token): [string, readonly string[]] => [token, ["sunk"]],
  ),
];

describe("colors", () => {
  it.each(text.flatMap(([token, grounds]) => grounds.map((ground) => ({ token, ground }))))(
    "text in --$token on --$ground has a contrast of at least 4.5, light and dark",
    ({ token, ground }) => {
      const on = colorsOf(ground);
      colorsOf(token).forEach((color, theme) => {
        expect(contrastOf(color, on[theme] ?? "")).toBeGreaterThanOrEqual(4.5);
      });
    },
  );

  it.each(surfaces)("the border of a control on --%s has a contrast of at least 3, light and dark", (ground) => {
    const on = colorsOf(ground);
    colorsOf("line").forEach((color, theme) => {
      expect(contrastOf(color, on[theme] ?? "")).toBeGreaterThanOrEqual(3);
    });
  });

  it("the rows of a screen that waits stand out from the page, light and dark", () => {
    const on = colorsOf("paper");
    colorsOf("waiting").forEach((color, theme) => {
      expect(contrastOf(color, on[theme] ?? "")).toBeGreaterThanOrEqual(1.2);
    });
    expect(contrastOf(colorsOf("waiting")[1], on[1])).toBeGreaterThanOrEqual(1.5);
  });
});

describe("the pages of logging in and of consent", () => {
  const style = readFileSync(join(import.meta.dirname, "../../oauth/src/pages/style.ts"), "utf8");
  const theirs = [...style.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)];

  it("have the colors of the app", { meta: { proves: ["web.page.colors"] } }, () => {
    expect(theirs.length).toBeGreaterThan(10);
    for (const [, token = "", light, dark] of theirs) expect([token, light, dark]).toEqual([token, ...colorsOf(token)]);
  });
});
