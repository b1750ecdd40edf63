// The modules of markdown-it that @types/markdown-it has no types for.

declare module "markdown-it/lib/rules_block/*.mjs" {
  const rule: import("./rule.ts").BlockRule;
  export default rule;
}

declare module "markdown-it/lib/rules_inline/balance_pairs.mjs" {
  const rule: import("./rule.ts").PairingRule;
  export default rule;
}

declare module "markdown-it/lib/rules_inline/fragments_join.mjs" {
  const rule: import("./rule.ts").PairingRule;
  export default rule;
}

declare module "markdown-it/lib/rules_inline/emphasis.mjs" {
  const rule: import("./rule.ts").DelimiterRule;
  export default rule;
}

declare module "markdown-it/lib/rules_inline/strikethrough.mjs" {
  const rule: import("./rule.ts").DelimiterRule;
  export default rule;
}

declare module "markdown-it/lib/rules_inline/*.mjs" {
  const rule: import("./rule.ts").InlineRule;
  export default rule;
}
