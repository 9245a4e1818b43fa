const foundations = ["kernel", "events", "database"] as const;
const shopAreas = [...foundations, "catalogue", "inventory", "businesses"] as const;

/** The areas that each area of shared/ may import. Add a line here for a new area. */
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
  ["notes", foundations],
  ["customers", [...foundations, "notes"]],
  ["messaging", foundations],
  ["support", [...foundations, "customers"]],
  ["one-time-codes", [...foundations, "customers", "messaging"]],
  ["fx", foundations],
  ["places", ["kernel"]],
  ["uploads", [...foundations, "customers"]],
  ["product-images", [...foundations, "catalogue", "uploads"]],
  ["transfer", [...shopAreas, "tax"]],
  ["availability", [...shopAreas, "pricing"]],
  ["scheduling", [...foundations, "catalogue", "businesses"]],
  ["books", [...foundations, "businesses"]],
  ["dead-letters", [...foundations, "businesses"]],
  ["deployment", foundations],
  ["moves", [...foundations, "businesses"]],
  [
    "portability",
    [...shopAreas, "moves", "orders", "payments", "subscriptions", "support", "uploads"],
  ],
  [
    "erasures",
    [
      ...foundations,
      "agents",
      "businesses",
      "dead-letters",
      "link",
      "members",
      "moves",
      "portability",
      "reconciliation",
      "support",
      "uploads",
    ],
  ],
  ["members", [...foundations, "businesses", "messaging"]],
  ["webhooks", [...foundations, "businesses"]],
  ["pricing", [...foundations, "catalogue"]],
  ["deals", [...foundations, "catalogue", "customers", "pricing"]],
  ["tax", [...foundations, "businesses", "catalogue", "customers", "pricing"]],
  ["delivery", [...shopAreas, "pricing", "availability"]],
  ["quotes", [...foundations, "businesses", "catalogue", "pricing"]],
  ["cart", [...shopAreas, "pricing", "quotes", "availability", "scheduling", "delivery", "tax"]],
  ["activity", [...shopAreas, "cart"]],
  ["payments", shopAreas],
  ["shipments", foundations],
  ["subscriptions", [...foundations, "catalogue", "customers", "pricing"]],
  [
    "orders",
    [
      ...shopAreas,
      "notes",
      "customers",
      "pricing",
      "payments",
      "deals",
      "delivery",
      "scheduling",
      "shipments",
      "subscriptions",
    ],
  ],
  ["today", [...shopAreas, "orders", "scheduling", "support"]],
  ["reconciliation", [...foundations, "businesses", "payments", "orders"]],
  [
    "renewals",
    [
      ...shopAreas,
      "pricing",
      "customers",
      "availability",
      "payments",
      "orders",
      "subscriptions",
      "tax",
    ],
  ],
  ["link", [...foundations, "businesses", "customers", "messaging", "payments", "orders"]],
  [
    "messages",
    [...foundations, "businesses", "messaging", "orders", "scheduling", "subscriptions"],
  ],
  [
    "personal-data",
    [
      ...foundations,
      "customers",
      "one-time-codes",
      "orders",
      "payments",
      "deals",
      "link",
      "messages",
      "scheduling",
      "notes",
      "support",
      "subscriptions",
      "uploads",
      "webhooks",
    ],
  ],
  [
    "agents",
    [
      ...shopAreas,
      "pricing",
      "deals",
      "delivery",
      "availability",
      "customers",
      "cart",
      "checkout",
      "payments",
      "orders",
      "shipments",
      "tax",
      "webhooks",
      "link",
    ],
  ],
  [
    "checkout",
    [
      ...shopAreas,
      "pricing",
      "deals",
      "delivery",
      "availability",
      "customers",
      "fx",
      "cart",
      "payments",
      "orders",
      "scheduling",
      "tax",
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

/**
 * Whether a file is core-schema.ts or shop-schema.ts, which re-export all tables for drizzle-kit.
 */
export const isSchema = (path: string) => /^shared\/database\/[a-z]+-schema\.ts$/.test(path);

/**
 * Whether a file may import tables directly. A tables.ts file needs other tables for foreign keys,
 * and columns.ts for the column types. A schema file lists all tables.
 */
export const joinsTables = (path: string, target: string) =>
  (isTables(path) && (isTables(target) || target === "shared/database/columns.ts")) ||
  (isSchema(path) && isTables(target));

/**
 * A file of the kernel that is not in its index, because the index must not load Temporal at start.
 */
const calendar = "shared/kernel/calendar.ts";

/** Whether other areas may import a file. */
export const isPublic = (path: string) =>
  path === `shared/${areaOf(path)}/index.ts` || path === calendar;

export const isShared = (path: string) => path.startsWith("shared/");

/** Whether a file may import drizzle. */
export const mayQuery = (path: string) =>
  isShared(path) &&
  (areaOf(path) === "database" || /(\/tables|\/repo|-repo|\/query|-query)\.ts$/.test(path));

/** The folders of functions/ that all Workers share. Every other folder is a Worker. */
export const commonFolders: readonly string[] = ["http", "wire", "runtime"];

/**
 * Whether a file also runs in Durable Objects, queue consumers or cron. Those have no HTTP request.
 */
export const isBelowHttp = (path: string) =>
  /^functions\/(?:runtime|background|[^/]+\/objects)\//.test(path);
