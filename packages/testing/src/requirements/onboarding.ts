import { section } from "./section.ts";

/** Promises about joining a team, and about what people do with their own account. */
export const onboardingRequirements = section("Onboarding and the own account", {
  "onboarding.profile": "auth.updateProfile sets the caller's own name, language and theme",
});
