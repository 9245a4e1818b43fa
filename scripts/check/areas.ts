const foundations = ["kernel", "events", "database"] as const;
const shopAreas = [...foundations, "catalogue", "inventory", "businesses"] as const;

/** The areas that each area of shared/ may import. A new area needs a line here. */
export const allowedImports: ReadonlyMap<string, readonly string[]> = new Map<
  string,
  readonly string[]
>([
  ["kernel", []],
  ["events", []],
  ["database", ["kernel", "events"]],
  ["catalogue", foundations],
  ["inventory", foundations],
  ["businesses", foundations],
  ["customers", foundations],
  ["messaging", foundations],
  ["support", [...foundations, "customers"]],
  ["one-time-codes", [...foundations, "customers", "messaging"]],
  ["fx", foundations],
  ["places", ["kernel"]],
  ["uploads", [...foundations, "customers"]],
  ["transfer", shopAreas],
  ["availability", [...shopAreas, "pricing"]],
  ["scheduling", [...foundations, "catalogue", "businesses"]],
  ["moves", [...foundations, "businesses"]],
  ["webhooks", [...foundations, "businesses"]],
  ["pricing", [...foundations, "catalogue"]],
  ["deals", [...foundations, "catalogue", "pricing"]],
  ["quotes", [...foundations, "businesses", "catalogue", "pricing"]],
  ["cart", [...shopAreas, "pricing", "quotes", "availability", "scheduling"]],
  ["activity", [...shopAreas, "cart"]],
  ["payments", shopAreas],
  ["subscriptions", [...foundations, "catalogue", "customers", "pricing"]],
  [
    "orders",
    [...shopAreas, "customers", "pricing", "payments", "deals", "scheduling", "subscriptions"],
  ],
  ["renewals", [...shopAreas, "pricing", "availability", "payments", "orders", "subscriptions"]],
  ["link", [...foundations, "businesses", "customers", "payments", "orders"]],
  [
    "personal-data",
    [
      ...foundations,
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
      ...shopAreas,
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

/** The area of a file such as `shared/<area>/order.ts`; undefined outside the areas. */
export function areaOf(path: string): string | undefined {
  return /^shared\/([^/]+)\//.exec(path)?.[1];
}

/** The Worker or the common folder of a file such as `functions/<folder>/worker.ts`. */
export function folderOf(path: string): string | undefined {
  return /^functions\/([^/]+)\//.exec(path)?.[1];
}

const isTables = (path: string) => path.endsWith("/tables.ts");

/** core-schema.ts and shop-schema.ts re-export every table for drizzle-kit. */
export const isSchema = (path: string) => /^shared\/database\/[a-z]+-schema\.ts$/.test(path);

/** tables.ts may import other tables for foreign keys, and the column types; a schema imports all tables. */
export const joinsTables = (path: string, target: string) =>
  (isTables(path) && (isTables(target) || target === "shared/database/columns.ts")) ||
  (isSchema(path) && isTables(target));

/** Imported by its path: the index must not load Temporal when a Worker starts. */
const calendar = "shared/kernel/calendar.ts";

/** Whether a file is part of its area's interface. */
export const isPublic = (path: string) =>
  path === `shared/${areaOf(path)}/index.ts` || path === calendar;

export const isShared = (path: string) => path.startsWith("shared/");

/** Whether a file may import drizzle. */
export const mayQuery = (path: string) =>
  isShared(path) &&
  (areaOf(path) === "database" || /(\/tables|\/repo|-repo|\/query|-query)\.ts$/.test(path));

/** Folders of functions/ that Workers share; every other folder is a Worker. */
export const commonFolders: readonly string[] = ["http", "wire", "runtime"];

/** Whether a file also serves Durable Objects, queues or cron, which have no HTTP request. */
export const isBelowHttp = (path: string) =>
  /^functions\/(?:runtime|background|[^/]+\/objects)\//.test(path);
