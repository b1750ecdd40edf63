/** Something that is being written on this page. */
type OpenSession = {
  /** Forgets what is not saved, on the device too, and sends nothing any more. */
  readonly forget: () => Promise<void>;
};

/** The sessions of the documents that are being written on this page, or that still send. */
export const openSessions = new Set<OpenSession>();
