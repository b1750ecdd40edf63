/** Where it is said that telemetry itself has trouble. */
export type Reporter = {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
};

/** Which process it is that tells of itself. */
export type About = { readonly service: string; readonly version: string; readonly logger: Reporter };
