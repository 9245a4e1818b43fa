const base = ["kernel", "events", "database"] as const;
const goods = [...base, "catalogue", "inventory", "businesses"] as const;

/**
 * Each area of shared/ and the areas that it may know. A new area is a new line here: write down
 * what it knows before the first import does.
 */
export const knownBy: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["kernel", []],
  ["events", []],
  ["database", ["kernel", "events"]],
  ["catalogue", base],
  ["inventory", base],
  ["businesses", base],
  ["customers", base],
  ["messaging", base],
  ["support", [...base, "customers"]],
  ["one-time-codes", [...base, "customers", "messaging"]],
  ["fx", base],
  ["places", ["kernel"]],
  ["uploads", [...base, "customers"]],
  ["transfer", goods],
  ["availability", [...goods, "pricing"]],
  ["scheduling", [...base, "catalogue", "businesses"]],
  ["moves", [...base, "businesses"]],
  ["webhooks", [...base, "businesses"]],
  ["pricing", [...base, "catalogue"]],
  ["deals", [...base, "catalogue", "pricing"]],
  ["quotes", [...base, "businesses", "catalogue", "pricing"]],
  ["cart", [...goods, "pricing", "quotes", "availability", "scheduling"]],
  ["activity", [...goods, "cart"]],
  ["payments", goods],
  ["subscriptions", [...base, "catalogue", "customers", "pricing"]],
  [
    "orders",
    [...goods, "customers", "pricing", "payments", "deals", "scheduling", "subscriptions"],
  ],
  ["renewals", [...goods, "pricing", "availability", "payments", "orders", "subscriptions"]],
  ["link", [...base, "businesses", "customers", "payments", "orders"]],
  [
    "personal-data",
    [
      ...base,
      "customers",
      "orders",
      "payments",
      "deals",
      "link",
      "scheduling",
      "support",
      "subscriptions",
      "uploads",
    ],
  ],
  [
    "checkout",
    [
      ...goods,
      "pricing",
      "deals",
      "availability",
      "customers",
      "fx",
      "cart",
      "payments",
      "orders",
      "scheduling",
      "webhooks",
    ],
  ],
]);

/** The area of a file such as `shared/<area>/order.ts`; undefined outside of the areas. */
export function areaOf(path: string): string | undefined {
  return /^shared\/([^/]+)\//.exec(path)?.[1];
}

/** The Worker, or the parts' folder, of a file such as `functions/<worker>/worker.ts`. */
export function workerOf(path: string): string | undefined {
  return /^functions\/([^/]+)\//.exec(path)?.[1];
}

const isTables = (path: string) => path.endsWith("/tables.ts");

/** shared/database/core-schema.ts and shop-schema.ts: every table, gathered for drizzle-kit alone. */
export const isSchema = (path: string) => /^shared\/database\/[a-z]+-schema\.ts$/.test(path);

/** Tables may name other tables (foreign keys) and the columns' words; a schema gathers tables. */
export const joinsTables = (path: string, target: string) =>
  (isTables(path) && (isTables(target) || target === "shared/database/columns.ts")) ||
  (isSchema(path) && isTables(target));

export const isShared = (path: string) => path.startsWith("shared/");

/** Whether a file may know drizzle. */
export const mayQuery = (path: string) =>
  isShared(path) && (areaOf(path) === "database" || /(\/tables|\/repo|-repo)\.ts$/.test(path));

/** What Workers are made of; every folder of functions/ but these is a Worker. */
export const workerParts: readonly string[] = ["http", "wire", "runtime"];
