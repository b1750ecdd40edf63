type TrustedFactory = { createPolicy<Rules>(name: string, rules: Rules): Rules };

/** Returns a policy of Trusted Types that the headers of pages name; in browsers without them its rules, as those take the string. */
export function trustedPolicy<Rules>(name: string, rules: Rules): Rules {
  return (globalThis as { trustedTypes?: TrustedFactory }).trustedTypes?.createPolicy(name, rules) ?? rules;
}
