import { defaultLocation, type ShopContext } from "../businesses/index.ts";
import {
  type ExportedProduct,
  exportColumns,
  findImportedColumns,
  idsInOrder,
  type StoredCursor,
  storedFrom,
  storedQueries,
  writeProducts,
} from "../catalogue/index.ts";
import { levelsAtQuery } from "../inventory/index.ts";
import { exportedProduct } from "./exported-product.ts";

const pageSize = 200;

/**
 * All products of the business as a CSV of the kind that imports take, inactive ones too, in the
 * order of their creation (business-surface.md, exports): pieces of text, read page by page as
 * they are asked for. Quantities are those of the default location.
 */
export async function exportProducts(ctx: ShopContext): Promise<AsyncIterable<string>> {
  const columns = exportColumns(await findImportedColumns(ctx));
  return writeProducts(everyProduct(ctx), { currency: ctx.business.currency, columns });
}

async function* everyProduct(ctx: ShopContext): AsyncGenerator<ExportedProduct> {
  let after: StoredCursor | null = null;
  do {
    const page = await findPage(ctx, after);
    yield* page.products;
    after = page.last;
  } while (after !== null);
}

/** One round trip; `last` is null when no page can follow. */
async function findPage(
  ctx: ShopContext,
  after: StoredCursor | null,
): Promise<{ products: readonly ExportedProduct[]; last: StoredCursor | null }> {
  const productIds = idsInOrder(ctx, { limit: pageSize, after });
  const locationId = defaultLocation(ctx.business).id;
  const [rows, variants, levels] = await ctx.db.batch([
    ...storedQueries(ctx, productIds),
    levelsAtQuery(ctx, { productIds, locationId }),
  ]);
  const onHand = new Map(levels.map(({ itemId, quantityOnHand }) => [itemId, quantityOnHand]));
  const { currency } = ctx.business;
  return {
    products: storedFrom(rows, variants).map((stored) =>
      exportedProduct(stored, { currency, onHand }),
    ),
    last: rows.length < pageSize ? null : (rows.at(-1) ?? null),
  };
}
