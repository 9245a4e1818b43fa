import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import { setStockLevel } from "../../shared/inventory/index.ts";
import { type ApiResponse, contextFor, createBusiness, merchant } from "../support/world.ts";
import { freeDeliveryFrom, lowStockThreshold } from "./activity-model.ts";
import { formatted, hundredthsOf } from "./arithmetic.ts";
import { type ReservedStock, sorted } from "./checkout-model.ts";
import { createDeals } from "./create-deals.ts";
import { type Collection, createGroups } from "./create-groups.ts";
import { createProducts, type ProductWithChoices } from "./create-products.ts";
import { keyOf } from "./low-stock-model.ts";
import type { Level, Product, Shop, Stock } from "./shop-model.ts";

/**
 * Currencies with 2, 0 and 3 decimals, tax added and included; rates of 50 % and 100 % often round
 * at a half.
 */
export const shopSettings = [
  { currency: "GHS", decimals: 2, ratePercent: "12.5", isInclusive: false },
  { currency: "GHS", decimals: 2, ratePercent: "15", isInclusive: true },
  { currency: "JPY", decimals: 0, ratePercent: "50", isInclusive: false },
  { currency: "JPY", decimals: 0, ratePercent: "100", isInclusive: true },
  { currency: "KWD", decimals: 3, ratePercent: "7.25", isInclusive: false },
  { currency: "KWD", decimals: 3, ratePercent: "5", isInclusive: true },
] as const;

/** A business on the service and its state at the start of every sequence. */
export type ShopUnderTest = Readonly<{
  business: CreatedBusiness;
  shop: Shop;
  goods: readonly ProductWithChoices[];
  categories: readonly string[];
  collections: readonly Collection[];
  /** Reverts changes that `restoreShop` has no statement for; each runs once. */
  undo: Map<string, () => Promise<void>>;
}>;

/** An isolate may use a cached catalogue for this long. */
export const catalogueCacheMs = 5_000;

export const advanceClock = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

export async function createShopUnderTest(
  terms: (typeof shopSettings)[number],
): Promise<ShopUnderTest> {
  const { currency, decimals, ratePercent, isInclusive } = terms;
  const business = await createBusiness({ currency });
  const plenty = 1_000_000;
  const settings = {
    tax: { rate_percent: ratePercent, inclusive: isInclusive },
    free_delivery_threshold: formatted(freeDeliveryFrom, decimals),
    low_stock_threshold: lowStockThreshold,
    rate_limits: { public_per_minute: plenty, secret_per_second: plenty },
  };
  expect(await merchant(business)("PATCH", "", { body: settings })).toMatchObject({ status: 200 });
  const locations = await createLocations(business);
  const made = await createProducts(business, { decimals, locations });
  const { products, ...groups } = await createGroups(
    business,
    made.map(({ product }) => product),
  );
  const goods = made.map((good, position) => ({ ...good, product: itemAt(products, position) }));
  const shop: Shop = {
    currency,
    decimals,
    isTaxInclusive: isInclusive,
    products,
    taxRate: hundredthsOf(ratePercent),
    isGoneCovered: true,
    deals: await createDeals(business, { decimals, products, ...groups }),
    locations,
    stock: await createStockLevels(business, { locations, products }),
    bookings: [],
  };
  return { business, shop, goods, ...groups, undo: new Map() };
}

/** Reverts the changes of a sequence and waits until the caches have expired. */
export async function restoreShop(world: ShopUnderTest): Promise<{ orders: number }> {
  const { business, shop } = world;
  const { id } = business.business;
  const run = statementFactory(world);
  await databaseOf(world).batch([
    ...shop.products.map((product) =>
      run(
        `update products set default_price_minor = ?, price_overrides = ?, is_active = 1
         where id = ?`,
        ...[Number(product.price), overridesText(product), product.id],
      ),
    ),
    ...shop.products
      .flatMap(({ plans }) => plans)
      .map((plan) =>
        run(
          "update billing_plans set price_minor = ?, archived_at = null where id = ?",
          ...[Number(plan.price), plan.id],
        ),
      ),
    ...levelsOf(shop).map(({ item, locationId, onHand }) =>
      run(
        `update stock_levels set quantity_on_hand = ?, quantity_reserved = 0, is_low = ?
         where business_id = ? and item_id = ? and location_id = ?`,
        ...[onHand, Number(onHand < lowStockThreshold), id, item, locationId],
      ),
    ),
    run("update deals set times_redeemed = 0, archived_at = null where business_id = ?", id),
    run("update collections set archived_at = null where business_id = ?", id), // deals refer to them
    run("delete from deal_redemptions where business_id = ?", id),
    run("delete from stock_reservations where business_id = ?", id),
    run("delete from events where business_id = ? and type = 'inventory.low_stock'", id),
    run("delete from slot_claims where business_id = ?", id),
    run("update catalogue_versions set version = version + 1 where business_id = ?", id),
  ]);
  await env.CORE.prepare("update locations set archived_at = null where business_id = ?")
    .bind(id)
    .run();
  for (const undo of world.undo.values()) await undo();
  world.undo.clear();
  advanceClock(catalogueCacheMs + 1_000);
  return { orders: (await readTables(world)).orders };
}

/** The deals that an order used; responses do not distinguish deals with the same amount. */
export async function readUsedDeals(
  world: ShopUnderTest,
  orderId: string,
): Promise<readonly string[]> {
  const used = "select deal_id from deal_redemptions where order_id = ? order by deal_id";
  const { results } = await statementFactory(world)(used, orderId).all();
  return results.map(({ deal_id }) => String(deal_id));
}

/** The stock that an order reserved, by location; responses do not show it. */
export async function readReservations(
  world: ShopUnderTest,
  orderId: string,
): Promise<readonly ReservedStock[]> {
  const held = `select item_id, location_id, quantity from stock_reservations where order_id = ?`;
  const { results } = await statementFactory(world)(held, orderId).all();
  return sorted(
    results.map(({ item_id, location_id, quantity }) => ({
      item: String(item_id),
      locationId: String(location_id),
      quantity: Number(quantity),
    })),
  );
}

/** Reads orders, stock, deal uses, slot claims and low-stock events from the tables. */
export async function readTables(world: ShopUnderTest) {
  const { id } = world.business.business;
  const run = statementFactory(world);
  const [orders, levels, deals, subscriptions, claims, warnings] = await databaseOf(world).batch<
    Record<string, unknown>
  >([
    run("select count(*) as orders from orders where business_id = ?", id),
    run(
      `select item_id as item, location_id as place, quantity_on_hand as onHand,
         quantity_reserved as reserved from stock_levels where business_id = ?`,
      id,
    ),
    run("select id, times_redeemed from deals where business_id = ?", id),
    run("select count(*) as subscriptions from subscriptions where business_id = ?", id),
    run(
      `select kind, starts_at as start, participants from slot_claims
       where business_id = ? and (expires_at is null or expires_at > ?)`,
      ...[id, Date.now()],
    ),
    run(
      `select coalesce(data ->> '$.variant_id', subject_id) as item, data ->> '$.location_id' as place,
         count(*) as sent_count from events
       where business_id = ? and type = 'inventory.low_stock' group by item, place`,
      id,
    ),
  ]);
  const stock: Record<string, Record<string, unknown>> = {};
  for (const { item, place, onHand, reserved } of levels?.results ?? [])
    stock[String(item)] = { ...stock[String(item)], [String(place)]: { onHand, reserved } };
  return {
    orders: Number(orders?.results[0]?.orders),
    stock,
    uses: Object.fromEntries(
      (deals?.results ?? []).map(({ id, times_redeemed }) => [id, times_redeemed]),
    ),
    // A subscription starts when its first payment is captured, and cash is paid later.
    subscriptions: Number(subscriptions?.results[0]?.subscriptions),
    claims: sorted(claims?.results ?? []),
    lowStockEvents: Object.fromEntries(
      (warnings?.results ?? []).map(({ item, place, sent_count }) => [
        keyOf(String(item), String(place)),
        Number(sent_count),
      ]),
    ),
  };
}

/** Every stock level, with its item and location. */
export const levelsOf = ({
  stock,
}: Pick<Shop, "stock">): (Level & { item: string; locationId: string })[] =>
  Object.entries(stock).flatMap(([item, places]) =>
    Object.entries(places).map(([locationId, level]) => ({ item, locationId, ...level })),
  );

const overridesText = ({ localPrices }: Product): string =>
  JSON.stringify(
    localPrices.map(({ price, ...where }) => ({ ...where, priceMinor: Number(price) })),
  );

const databaseOf = ({ business }: ShopUnderTest): D1Database =>
  shopOf(shardsOf(env, env.SHOP_SHARDS), business.business);

const statementFactory =
  (world: ShopUnderTest) =>
  (query: string, ...values: unknown[]) =>
    databaseOf(world)
      .prepare(query)
      .bind(...values);

/** Creates the locations: the default, one with its own prices and stock, one with stock only. */
async function createLocations(business: CreatedBusiness): Promise<readonly string[]> {
  const createLocation = async (name: string) => {
    const answer: ApiResponse = await merchant(business)("POST", "/locations", { body: { name } });
    expect(answer.status).toBe(201);
    return String(Object(answer.body).data.id);
  };
  const home = business.business.locations[0]?.id ?? "";
  const locations = [home, await createLocation("Osu"), await createLocation("Accra")];
  advanceClock(catalogueCacheMs + 1_000); // the key's business is cached too
  return locations;
}

/** Creates small stock levels; the last size of the shirts has none. */
async function createStockLevels(
  business: CreatedBusiness,
  { locations, products }: Readonly<{ locations: readonly string[]; products: readonly Product[] }>,
): Promise<Record<string, Stock>> {
  const levels = products.flatMap(({ id, stockTracking, variants }) => {
    if (stockTracking === "by product") return [{ itemId: id, productId: id, pieces: [2, 3, 2] }];
    if (stockTracking === "nowhere") return [];
    return variants.slice(0, 2).map((variant, position) => ({
      itemId: variant.id,
      productId: id,
      pieces: [1 + 3 * position, 2 - 2 * position, 1 + position],
    }));
  });
  const stock: Record<string, Stock> = {};
  for (const { itemId, productId, pieces } of levels)
    for (const [place, locationId] of locations.entries()) {
      const onHand = pieces[place] ?? 0;
      const level = { itemId, productId, locationId };
      await setStockLevel(contextFor(business), level, { quantityOnHand: onHand });
      stock[itemId] = { ...stock[itemId], [locationId]: { onHand, reserved: 0 } };
    }
  return stock;
}

/** An item of the list; a larger index starts again at the beginning. */
export function itemAt<T>(items: readonly T[], position: number): T {
  const item = items[position % items.length];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}
