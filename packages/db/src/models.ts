import { translated } from "./errors.ts";
import type { Prisma, PrismaClient } from "./generated/client.ts";
import type { TenantGuard } from "./guard.ts";

/** The models of the schema, each query guarded: `tx.document.findMany(…)`. */
export type Models = Pick<PrismaClient, Uncapitalize<Prisma.ModelName>>;

/** The guarded client with Prisma's own doors. Stays inside this package. */
export type RootClient = Models & Pick<PrismaClient, "$transaction" | "$disconnect">;

/** Puts the guard before, and the translation of errors behind, every query of the client and of its transactions. */
export function guarded(client: PrismaClient, guard: TenantGuard): RootClient {
  const extended = client.$extends({
    name: "tenant guard",
    query: {
      $allModels: {
        async $allOperations({ model, operation, args, query }) {
          guard(model, operation, args);
          try {
            return await query(args);
          } catch (error) {
            throw translated(error);
          }
        },
      },
    },
  });
  return asRoot(extended);
}

/** Query extensions change no type: the extended client answers exactly as the plain one does. */
function asRoot(client: unknown): RootClient {
  return client as RootClient;
}
