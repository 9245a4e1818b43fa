import { defaultLocation, type ShopContext } from "../businesses/index.ts";
import {
  raiseCatalogueVersion,
  refreshBundlePrices,
  type StoredProduct,
  type StoredProductChange,
  standardTaxClass,
  storedProductRepo,
} from "../catalogue/index.ts";
import { commit, retryOnConflict } from "../database/index.ts";
import { importStockLevels, levelsAtLocationQuery } from "../inventory/index.ts";
import { conflict } from "../kernel/index.ts";
import { taxClassCodesQuery } from "../tax/index.ts";
import { issueOf, type RejectedRow } from "./csv/rejected-row.ts";
import type { ImportOutcome } from "./import-report.ts";
import { type FileProduct, mergeProduct } from "./merge-product.ts";
import { changedStockCounts, type ItemStock, type StockCount } from "./stock-counts.ts";

/** A product of the file, with the changes that importing it makes. */
type PlannedProduct = StoredProductChange &
  Readonly<{ kind: "product"; outcome: ImportOutcome; stockCounts: readonly StockCount[] }>;

/**
 * Imports some products of a file with one read, and one batch if there is anything to change. A
 * concurrent change makes the batch fail; the read and the batch are then repeated.
 */
export function importChunk(
  ctx: ShopContext,
  fileProducts: readonly FileProduct[],
  { importId, isDryRun }: { importId: string; isDryRun: boolean },
): Promise<readonly (PlannedProduct | RejectedRow)[]> {
  return retryOnConflict(async () => {
    const planned = planProducts(ctx, fileProducts, await loadStoredState(ctx, fileProducts));
    if (!isDryRun) {
      const changed = planned
        .filter((result) => result.kind === "product")
        .filter(({ outcome }) => outcome !== "unchanged");
      if (changed.length > 0) await commitProducts(ctx, changed, importId);
    }
    return planned;
  });
}

type StoredState = Readonly<{
  productBySlug: ReadonlyMap<string, StoredProduct>;
  /** The stock at the default location, by stock item id. */
  stockByItem: ReadonlyMap<string, ItemStock>;
  /** The codes of the file that are tax classes of the business. */
  taxClasses: ReadonlySet<string>;
}>;

async function loadStoredState(
  ctx: ShopContext,
  fileProducts: readonly FileProduct[],
): Promise<StoredState> {
  const repo = storedProductRepo(ctx);
  const productIds = repo.idsBySlug(fileProducts.map(({ product }) => product.handle));
  const locationId = defaultLocation(ctx.business).id;
  const codes = new Set(fileProducts.flatMap(({ product }) => product.taxClass ?? []));
  const [rows, variantRows, levels, classRows] = await ctx.db.batch([
    ...repo.queries(productIds),
    levelsAtLocationQuery(ctx, { productIds, locationId }),
    taxClassCodesQuery(ctx, [...codes]),
  ]);
  const products = repo.fromRows(rows, variantRows);
  return {
    productBySlug: new Map(products.map((product) => [product.slug, product])),
    stockByItem: new Map(levels.map((level) => [level.itemId, level])),
    taxClasses: new Set([standardTaxClass, ...classRows.map(({ code }) => code)]),
  };
}

function planProducts(
  ctx: ShopContext,
  fileProducts: readonly FileProduct[],
  { productBySlug, stockByItem, taxClasses }: StoredState,
): (PlannedProduct | RejectedRow)[] {
  const stored = fileProducts.map(({ product }) => productBySlug.get(product.handle) ?? null);
  // All product ids are created first, so that new products are listed in the order of the file.
  const ids = stored.map((before) => before?.id ?? ctx.newId("prod"));
  const mergeContext = { now: ctx.now(), newId: ctx.newId, taxClasses };
  return fileProducts.map((fileProduct, index): PlannedProduct | RejectedRow => {
    const before = stored[index] ?? null;
    try {
      const after = mergeProduct(fileProduct, before, {
        ...mergeContext,
        productId: ids[index] ?? "",
      });
      const stockCounts = changedStockCounts(fileProduct.product, after, stockByItem);
      const isUnchanged = after === before && stockCounts.length === 0;
      const outcome = before === null ? "created" : isUnchanged ? "unchanged" : "updated";
      return { kind: "product", outcome, before, after, stockCounts };
    } catch (error) {
      return { kind: "rejected", row: fileProduct.product.firstRow, ...issueOf(error) };
    }
  });
}

async function commitProducts(
  ctx: ShopContext,
  changed: readonly PlannedProduct[],
  importId: string,
): Promise<void> {
  const products = changed.filter(({ before, after }) => after !== before);
  const productIds = products.map(({ after }) => after.id);
  const locationId = defaultLocation(ctx.business).id;
  const stockCounts = changed.flatMap((product) =>
    product.stockCounts.map((count) => ({ ...count, locationId })),
  );
  const auditedProducts = (outcome: ImportOutcome) =>
    changed
      .filter((product) => product.outcome === outcome)
      .map(({ after: { id, slug } }) => ({ id, slug }));
  await commit(ctx, {
    writes: [
      ...storedProductRepo(ctx).writes(products),
      ...importStockLevels(ctx, stockCounts),
      ...(products.length > 0
        ? [refreshBundlePrices(ctx, productIds), raiseCatalogueVersion(ctx)]
        : []),
    ],
    audit: [
      {
        action: "products.imported",
        entity: importId,
        after: { created: auditedProducts("created"), updated: auditedProducts("updated") },
      },
    ],
    refusals: {
      "products.slug": staleConflict,
      "products.updated_at": staleConflict,
      products_tax_class: staleConflict,
      "product_variants.product_id": staleConflict,
      stock_not_oversold: staleConflict,
    },
  });
  // The writes may have inserted low-stock events. The worker is woken in any case, because that is
  // cheap.
  if (stockCounts.length > 0) ctx.wakeOutboxWorker();
}

const staleConflict = () =>
  conflict("A product changed while it was imported; send the file again.", { retryable: true });
