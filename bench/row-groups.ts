import { type BenchPlatform, createAgentRows } from "./agents.ts";
import { availabilityRowNames, createAvailabilityRows } from "./availability.ts";
import { createCartFloorRows } from "./cart-floor.ts";
import { createCatalogueRows } from "./catalogue-rows.ts";
import {
  type BenchShop,
  createImportedShop,
  createShop,
  type ImportedShop,
} from "./create-shop.ts";
import { type BenchOptions, isSelected } from "./options.ts";
import { type BenchRow, createShopRows } from "./rows.ts";
import type { BenchRuntime } from "./runtime.ts";
import { createSaleFloorRow } from "./sale-floor.ts";

/** Rows that share their preparation. It is skipped when none of them is measured. */
type RowGroup = Readonly<{ names: readonly string[]; create(): Promise<readonly BenchRow[]> }>;

type Neighbours = Readonly<{
  floors: Readonly<{ cart: URL; sale: URL }>;
  platform: BenchPlatform;
}>;

/** Creates the selected rows with the shops that they need. */
export async function createRows(
  runtime: BenchRuntime,
  neighbours: Neighbours,
  options: BenchOptions,
): Promise<readonly BenchRow[]> {
  const groups = [
    shopGroup(runtime.origin, neighbours),
    ...options.productCounts.map((count) => catalogueGroup(runtime.origin, count)),
    { names: availabilityRowNames, create: () => createAvailabilityRows(runtime) },
  ];
  const rows: BenchRow[] = [];
  for (const { names, create } of groups) {
    if (!names.some((name) => isSelected(name, options))) continue;
    rows.push(...(await create()).filter(({ name }) => isSelected(name, options)));
  }
  return rows;
}

// The names of rows do not depend on the shop.
const noShop: BenchShop = { slug: "", publishableKey: "", items: [] };
const noImportedShop: ImportedShop = {
  ...{ publishableKey: "", productIds: [], cursors: [] },
  ...{ importSeconds: "", fewCategoryId: "", tenthCategoryId: "" },
};

const namesOf = (rows: readonly BenchRow[]): string[] => rows.map(({ name }) => name);

function shopGroup(origin: URL, { floors, platform }: Neighbours): RowGroup {
  const rowsOf = (shop: BenchShop) => [
    ...createShopRows(shop),
    ...createAgentRows(shop, platform),
    ...createCartFloorRows(shop, { service: origin, floor: floors.cart }),
    createSaleFloorRow(floors.sale),
  ];
  return {
    names: namesOf(rowsOf(noShop)),
    create: async () => rowsOf(await createShop(origin)),
  };
}

function catalogueGroup(origin: URL, count: number): RowGroup {
  return {
    names: namesOf(createCatalogueRows(noImportedShop, count)),
    async create() {
      const started = performance.now();
      const shop = await createImportedShop(origin, count);
      const seconds = ((performance.now() - started) / 1_000).toFixed(1);
      console.log(
        `shop of ${count} products: imported in ${shop.importSeconds} s, ready in ${seconds} s`,
      );
      return createCatalogueRows(shop, count);
    },
  };
}
