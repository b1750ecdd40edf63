import { describe, it } from "vitest";
import { shapes, walkScreens, walkTimeout } from "./screen-walk.ts";
import { fillSettings } from "./settings-screens.ts";

describe("every screen of the settings in Chromium", () => {
  const { compareTrees, inspectAll } = walkScreens(fillSettings);

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
