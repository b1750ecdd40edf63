import { describe, it } from "vitest";
import { languages, walkScreens, walkTimeout } from "./screen-walk.ts";
import { fillScreens } from "./screens.ts";

describe("every screen in Chromium", () => {
  const walk = walkScreens(fillScreens);

  it.each(languages)(
    "has the accessibility tree of its snapshot, passes axe-core and is cut off nowhere, in $locale",
    { meta: { proves: ["web.page.accessible", "web.page.policy"] }, timeout: walkTimeout },
    walk,
  );
});
