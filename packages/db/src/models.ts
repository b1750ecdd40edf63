import { toUnavailableError } from "./errors.ts";
import type { Prisma, PrismaClient } from "./generated/client.ts";
import { mayUseReserved } from "./reserved-connections.ts";
import type { TenantGuard } from "./tenant-guard.ts";

/** The models of the schema with guarded queries: `tx.document.findMany(…)`. */
export type Models = Pick<PrismaClient, Uncapitalize<Prisma.ModelName>>;

/** The guarded client with Prisma's transactions. Not exported from this package. */
export type RootClient = Models & Pick<PrismaClient, "$transaction" | "$disconnect">;

/** Checks every query of the client and of its transactions with the guard, and converts their errors. */
export function guardModels(client: PrismaClient, guard: TenantGuard): RootClient {
  const extended = client.$extends({
    name: "tenant guard",
    query: {
      $allModels: {
        async $allOperations({ model, operation, args, query }) {
          guard(model, operation, args);
          try {
            return await query(args);
          } catch (error) {
            throw toUnavailableError(error);
          }
        },
      },
    },
  });
  return asRoot(extended);
}

/** Loads the models that run queries. */
type LoadModels = () => Promise<Models>;

const loadModels = Symbol("load");
type Lazy = { [loadModels]: LoadModels };

/**
 * Returns a function that makes models whose queries first load the models that run them.
 * @param names the names of the models as in the schema, such as `Document`
 */
export function lazyModels(names: Iterable<string>): (load: LoadModels) => Models {
  const prototype = {};
  for (const name of names) {
    const property = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
    Object.defineProperty(prototype, property, {
      get(this: Lazy) {
        return lazyModel(this[loadModels], property);
      },
    });
  }
  return (load) => asModels(Object.create(prototype, { [loadModels]: { value: load } }));
}

const lazyModel = (load: LoadModels, name: string): object =>
  new Proxy(
    {},
    {
      get: (_, operation) => async (args: unknown) => {
        const model = Reflect.get(await load(), name);
        // Prisma joins look-ups of one turn of the event loop, and all of them take the connection of the first.
        if (mayUseReserved()) await ownTurn();
        return run(model, operation, args);
      },
    },
  );

/** Resolves in a turn of the event loop that runs nothing else. */
const ownTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs one query. The types of `Models` name the operation and its arguments. */
function run(model: object, operation: string | symbol, args: unknown): unknown {
  const query: unknown = Reflect.get(model, operation);
  if (typeof query !== "function") throw new TypeError(`a model has no operation ${String(operation)}`);
  return Reflect.apply(query, model, [args]);
}

/** Casts the extended client: query extensions change no type. */
function asRoot(client: unknown): RootClient {
  return client as RootClient;
}

/** Casts the lazy models: each has every operation of the model that it loads. */
function asModels(models: unknown): Models {
  return models as Models;
}
