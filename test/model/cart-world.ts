import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import { setStockLevel } from "../../shared/inventory/index.ts";
import { type Answer, contextFor, givenBusiness, merchant } from "../support/world.ts";
import { fewPieces, freeDeliveryFrom } from "./activity.ts";
import { formatted, hundredthsOf } from "./arithmetic.ts";
import { inOrder, type Taken } from "./checkout-model.ts";
import { givenDeals } from "./deals.ts";
import { type Good, givenGoods } from "./goods.ts";
import { type Collection, givenGroups } from "./groups.ts";
import { keyOf } from "./low-stock.ts";
import type { Level, Product, Shop, Stock } from "./shop-model.ts";

/** Currencies of 2, 0 and 3 decimals, tax added and contained; 50 % and 100 % come out at a half often. */
export const worlds = [
  { currency: "GHS", decimals: 2, ratePercent: "12.5", isInclusive: false },
  { currency: "GHS", decimals: 2, ratePercent: "15", isInclusive: true },
  { currency: "JPY", decimals: 0, ratePercent: "50", isInclusive: false },
  { currency: "JPY", decimals: 0, ratePercent: "100", isInclusive: true },
  { currency: "KWD", decimals: 3, ratePercent: "7.25", isInclusive: false },
  { currency: "KWD", decimals: 3, ratePercent: "5", isInclusive: true },
] as const;

/** A business on the service, and its state as every sequence finds it. */
export type World = Readonly<{
  business: CreatedBusiness;
  shop: Shop;
  goods: readonly Good[];
  categories: readonly string[];
  collections: readonly Collection[];
  /** What brings back what a sequence changed and no statement of `restore` does; each once. */
  undo: Map<string, () => Promise<void>>;
}>;

/** What an isolate remembers of a catalogue may be so old (architecture.md, Where data lives). */
export const stalenessMs = 5_000;

export const passes = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

export async function givenWorld(terms: (typeof worlds)[number]): Promise<World> {
  const { currency, decimals, ratePercent, isInclusive } = terms;
  const business = await givenBusiness({ currency });
  const plenty = 1_000_000;
  const settings = {
    tax: { rate_percent: ratePercent, inclusive: isInclusive },
    free_delivery_threshold: formatted(freeDeliveryFrom, decimals),
    low_stock_threshold: fewPieces,
    rate_limits: { public_per_minute: plenty, secret_per_second: plenty },
  };
  expect(await merchant(business)("PATCH", "", { body: settings })).toMatchObject({ status: 200 });
  const locations = await givenLocations(business);
  const made = await givenGoods(business, { decimals, locations });
  const { products, ...groups } = await givenGroups(
    business,
    made.map(({ product }) => product),
  );
  const goods = made.map((good, position) => ({ ...good, product: at(products, position) }));
  const shop: Shop = {
    currency,
    decimals,
    isTaxInclusive: isInclusive,
    products,
    taxRate: hundredthsOf(ratePercent),
    isGoneCovered: true,
    deals: await givenDeals(business, { decimals, products, ...groups }),
    locations,
    stock: await givenLevels(business, { locations, products }),
    bookings: [],
  };
  return { business, shop, goods, ...groups, undo: new Map() };
}

/** Undoes what a sequence changed: it is seen once what is remembered has grown old. */
export async function restore(world: World): Promise<{ orders: number }> {
  const { business, shop } = world;
  const { id } = business.business;
  const run = statementsOf(world);
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
        ...[onHand, Number(onHand < fewPieces), id, item, locationId],
      ),
    ),
    run("update deals set times_redeemed = 0, archived_at = null where business_id = ?", id),
    run("update collections set archived_at = null where business_id = ?", id), // deals name them
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
  passes(stalenessMs + 1_000);
  return { orders: (await ledgerOf(world)).orders };
}

/** The deals that an order used: no answer tells two of them apart that take the same off. */
export async function dealsOf(world: World, orderId: string): Promise<readonly string[]> {
  const used = "select deal_id from deal_redemptions where order_id = ? order by deal_id";
  const { results } = await statementsOf(world)(used, orderId).all();
  return results.map(({ deal_id }) => String(deal_id));
}

/** The pieces that an order holds, and where: no answer tells the places apart. */
export async function takenBy(world: World, orderId: string): Promise<readonly Taken[]> {
  const held = `select item_id, location_id, quantity from stock_reservations where order_id = ?`;
  const { results } = await statementsOf(world)(held, orderId).all();
  return inOrder(
    results.map(({ item_id, location_id, quantity }) => ({
      item: String(item_id),
      locationId: String(location_id),
      quantity: Number(quantity),
    })),
  );
}

/** What the tables hold of orders, stock, uses and places: the last word. */
export async function ledgerOf(world: World) {
  const { id } = world.business.business;
  const run = statementsOf(world);
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
      `select subject_id as item, data ->> '$.location_id' as place, count(*) as told from events
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
    // One begins when its first payment has settled, and cash is paid later.
    subscriptions: Number(subscriptions?.results[0]?.subscriptions),
    claims: inOrder(claims?.results ?? []),
    told: Object.fromEntries(
      (warnings?.results ?? []).map(({ item, place, told }) => [
        keyOf(String(item), String(place)),
        Number(told),
      ]),
    ),
  };
}

/** Every level there is: one of an item at a location. */
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

const databaseOf = ({ business }: World): D1Database =>
  shopOf(shardsOf(env, env.SHOP_SHARDS), business.business);

const statementsOf =
  (world: World) =>
  (query: string, ...values: unknown[]) =>
    databaseOf(world)
      .prepare(query)
      .bind(...values);

/** The default location, one with prices and pieces of its own, and one with pieces alone. */
async function givenLocations(business: CreatedBusiness): Promise<readonly string[]> {
  const added = async (name: string) => {
    const answer: Answer = await merchant(business)("POST", "/locations", { body: { name } });
    expect(answer.status).toBe(201);
    return String(Object(answer.body).data.id);
  };
  const home = business.business.locations[0]?.id ?? "";
  const locations = [home, await added("Osu"), await added("Accra")];
  passes(stalenessMs + 1_000); // what a key serves is remembered as well
  return locations;
}

/** How many pieces there are, few of them; the last shirt's size was never in stock. */
async function givenLevels(
  business: CreatedBusiness,
  { locations, products }: Readonly<{ locations: readonly string[]; products: readonly Product[] }>,
): Promise<Record<string, Stock>> {
  const levels = products.flatMap(({ id, counted, variants }) => {
    if (counted === "by product") return [{ itemId: id, productId: id, pieces: [2, 3, 2] }];
    if (counted === "nowhere") return [];
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

/** One of the items, whatever the number. */
export function at<T>(items: readonly T[], position: number): T {
  const item = items[position % items.length];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}
