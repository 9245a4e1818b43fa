import { isLocationOf, type ShopContext } from "../../../shared/businesses/index.ts";
import { findStockItem } from "../../../shared/catalogue/index.ts";
import type { StockPlace } from "../../../shared/inventory/index.ts";
import { notFound } from "../../../shared/kernel/index.ts";

/** What the path of a stock call names: inventory knows neither products nor locations. */
export async function stockPlace(
  ctx: ShopContext,
  path: { product_or_variant_id: string; location_id: string },
): Promise<StockPlace> {
  const { location_id: locationId } = path;
  if (!isLocationOf(ctx.business, locationId)) throw notFound("location");
  const { itemId, productId } = await findStockItem(ctx, path.product_or_variant_id);
  return { itemId, productId, locationId };
}
