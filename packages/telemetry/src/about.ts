/** Receives reports of problems of telemetry itself. */
export type Reporter = {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
};

/** The process that sends telemetry. */
export type About = { readonly service: string; readonly version: string; readonly logger: Reporter };
