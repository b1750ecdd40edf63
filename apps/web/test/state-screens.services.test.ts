import { describe, it } from "vitest";
import { shapes, walkScreens, walkTimeout } from "./screen-walk.ts";
import { fillNothing, fillStates } from "./state-screens.ts";

const troubles = {
  possible: [/status of (401|403|404|409|429|500|503)/, /net::ERR_(INTERNET_DISCONNECTED|ABORTED|FAILED)/],
};

describe.each([
  ["waits, fails or is gone", fillStates, { ...troubles }],
  ["has nothing to show yet", fillNothing, { as: "outsider" as const }],
])("a screen that %s, in Chromium", (_, fill, options) => {
  const { compareTrees, inspectAll } = walkScreens(fill, options);

  it(
    "has the accessibility tree of its snapshot",
    { meta: { proves: ["web.states", "web.page.accessible"] }, timeout: walkTimeout },
    compareTrees,
  );

  it.each(shapes)(
    "passes axe-core and is cut off nowhere at $width pixels, $scheme, $locale",
    { meta: { proves: ["web.states", "web.page.accessible"] }, timeout: walkTimeout },
    inspectAll,
  );
});
