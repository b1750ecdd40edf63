import { describe, it } from "vitest";
import { shapes, walkScreens, walkTimeout } from "./screen-walk.ts";
import { fillScreens } from "./screens.ts";

describe("every screen in Chromium", () => {
  const { compareTrees, inspectAll } = walkScreens(fillScreens);

  it(
    "has the accessibility tree of its snapshot",
    { meta: { proves: ["web.page.accessible"] }, timeout: walkTimeout },
    compareTrees,
  );

  it.each(shapes)(
    "passes axe-core and is cut off nowhere at $width pixels, $scheme, $locale",
    { meta: { proves: ["web.page.accessible", "web.page.policy"] }, timeout: walkTimeout },
    inspectAll,
  );
});
