import type { ConnectionPool } from "./connection-pool.ts";
import { guardModels, type RootClient } from "./models.ts";
import type { TenantGuard } from "./tenant-guard.ts";

/** Prisma's client, which is loaded at its first use: it takes 70 MB, and the usual requests run raw statements only. */
export type LazyPrisma = {
  load(): Promise<RootClient>;
  /** Disconnects the client if it was loaded. */
  close(): Promise<void>;
};

/** @param nameOf returns the name under which a text is prepared */
export function lazyPrisma(
  pool: ConnectionPool,
  guard: TenantGuard,
  nameOf: (text: string) => string | undefined,
): LazyPrisma {
  let loading: Promise<RootClient> | undefined;
  const load = async (): Promise<RootClient> => {
    const [{ PrismaPg }, { PrismaClient }] = await Promise.all([
      import("@prisma/adapter-pg"),
      import("./generated/client.ts"),
    ]);
    const adapter = new PrismaPg(pool, { statementNameGenerator: ({ sql }) => nameOf(sql) ?? "" });
    return guardModels(new PrismaClient({ adapter, errorFormat: "minimal" }), guard);
  };
  return {
    load: () => {
      loading ??= load();
      return loading;
    },
    close: async () => {
      await (await loading)?.$disconnect();
    },
  };
}
