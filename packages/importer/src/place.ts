import type { Actor } from "@kb/auth";
import type { Service } from "@kb/core";

/** Who imports, and into which collection. */
export type Place = {
  readonly service: Service;
  /** Who imports. A long import looks its user up again, because what they may do can change. */
  readonly actor: () => Actor;
  readonly collectionId: string;
};
