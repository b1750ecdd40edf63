import { describe, it } from "vitest";
import { languages, walkScreens, walkTimeout } from "./screen-walk.ts";
import { fillNothing, fillStates } from "./state-screens.ts";

const troubles = {
  possible: [/status of (401|403|404|409|429|500|503)/, /net::ERR_(INTERNET_DISCONNECTED|ABORTED|FAILED)/],
};

describe.each([
  ["waits, fails or is gone", fillStates, { ...troubles }],
  ["has nothing to show yet", fillNothing, { as: "outsider" as const }],
])("a screen that %s, in Chromium", (_, fill, options) => {
  const walk = walkScreens(fill, options);

  it.each(languages)(
    "has the accessibility tree of its snapshot, passes axe-core and is cut off nowhere, in $locale",
    { meta: { proves: ["web.states", "web.page.accessible"] }, timeout: walkTimeout },
    walk,
  );
});
