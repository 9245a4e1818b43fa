import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import { setStockLevel } from "../../shared/inventory/index.ts";
import { givenDeal } from "../support/deals.ts";
import { contextFor, givenBusiness, merchant } from "../support/world.ts";
import { formatted, hundredthsOf } from "./arithmetic.ts";
import { type Good, givenGoods } from "./goods.ts";
import type { Deal, Product, Shop, Stock } from "./shop-model.ts";

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
export type World = Readonly<{ business: CreatedBusiness; shop: Shop; goods: readonly Good[] }>;

/** What an isolate remembers of a catalogue may be so old (architecture.md, Where data lives). */
export const stalenessMs = 5_000;

export const passes = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

export async function givenWorld(terms: (typeof worlds)[number]): Promise<World> {
  const { currency, decimals, ratePercent, isInclusive } = terms;
  const business = await givenBusiness({ currency });
  const plenty = 1_000_000;
  const settings = {
    tax: { rate_percent: ratePercent, inclusive: isInclusive },
    rate_limits: { public_per_minute: plenty, secret_per_second: plenty },
  };
  expect(await merchant(business)("PATCH", "", { body: settings })).toMatchObject({ status: 200 });
  const goods = await givenGoods(business, decimals);
  const products = goods.map(({ product }) => product);
  const shop: Shop = {
    currency,
    decimals,
    isTaxInclusive: isInclusive,
    products,
    taxRate: hundredthsOf(ratePercent),
    deals: await givenDeals(business, { decimals, products }),
    stock: await givenLevels(business, products),
  };
  return { business, shop, goods };
}

/** Undoes what a sequence changed: it is seen once what is remembered has grown old. */
export async function restore(world: World): Promise<{ orders: number }> {
  const { business, shop } = world;
  const { id } = business.business;
  const run = statementsOf(world);
  await databaseOf(world).batch([
    ...shop.products.map((product) =>
      run(
        "update products set default_price_minor = ?, is_active = 1 where id = ?",
        ...[Number(product.price), product.id],
      ),
    ),
    ...shop.deals.map((deal) =>
      run(
        `update deals set is_active = 1, times_redeemed = 0, percent = iif(percent is null, null, ?),
           amount_minor = iif(amount_minor is null, null, ?) where id = ?`,
        ...[valueText(deal, shop.decimals), Number(deal.value), deal.id],
      ),
    ),
    ...Object.entries(shop.stock).map(([item, { onHand }]) =>
      run(
        `update stock_levels set quantity_on_hand = ?, quantity_reserved = 0
         where business_id = ? and item_id = ?`,
        ...[onHand, id, item],
      ),
    ),
    run("delete from deal_redemptions where business_id = ?", id),
    run("delete from stock_reservations where business_id = ?", id),
    run("update catalogue_versions set version = version + 1 where business_id = ?", id),
  ]);
  passes(stalenessMs + 1_000);
  return { orders: (await ledgerOf(world)).orders };
}

/** What the tables hold of orders, stock and uses: the last word. */
export async function ledgerOf(world: World) {
  const { id } = world.business.business;
  const run = statementsOf(world);
  const [orders, levels, deals] = await databaseOf(world).batch<Record<string, unknown>>([
    run("select count(*) as orders from orders where business_id = ?", id),
    run(
      `select item_id, quantity_on_hand, quantity_reserved from stock_levels
       where business_id = ?`,
      id,
    ),
    run("select code, times_redeemed from deals where business_id = ?", id),
  ]);
  return {
    orders: Number(orders?.results[0]?.orders),
    stock: Object.fromEntries(
      (levels?.results ?? []).map(({ item_id, quantity_on_hand: onHand, quantity_reserved }) => [
        item_id,
        { onHand, reserved: quantity_reserved },
      ]),
    ),
    uses: Object.fromEntries(
      (deals?.results ?? []).map(({ code, times_redeemed }) => [code, times_redeemed]),
    ),
  };
}

const databaseOf = ({ business }: World): D1Database =>
  shopOf(shardsOf(env, env.SHOP_SHARDS), business.business);

const statementsOf =
  (world: World) =>
  (query: string, ...values: unknown[]) =>
    databaseOf(world)
      .prepare(query)
      .bind(...values);

export const valueText = ({ type, value }: Pick<Deal, "type" | "value">, decimals: number) =>
  formatted(value, type === "percentage" ? 2 : decimals);

/** How many pieces there are; the last shirt's size was never in stock. */
async function givenLevels(
  business: CreatedBusiness,
  products: readonly Product[],
): Promise<Record<string, Stock>> {
  const levels = products.flatMap(({ id, counted, variants }) => {
    if (counted === "by product") return [{ itemId: id, productId: id, onHand: 12 }];
    if (counted === "nowhere") return [];
    return variants.slice(0, 2).map((variant, position) => ({
      itemId: variant.id,
      productId: id,
      onHand: 3 + 5 * position,
    }));
  });
  const ctx = contextFor(business);
  const locationId = ctx.business.locations[0]?.id ?? "";
  for (const { itemId, productId, onHand } of levels)
    await setStockLevel(ctx, { itemId, productId, locationId }, { quantityOnHand: onHand });
  return Object.fromEntries(levels.map(({ itemId, onHand }) => [itemId, { onHand, reserved: 0 }]));
}

const tenth = {
  isActive: true,
  isExpired: false,
  minimum: 0n,
  maximum: null,
  productId: null,
  type: "percentage" as const,
  value: 1_000n,
  limit: null,
  limitOfCustomer: null,
  usedBy: [],
};

async function givenDeals(
  business: CreatedBusiness,
  { decimals, products }: { decimals: number; products: readonly Product[] },
): Promise<Deal[]> {
  const terms: Omit<Deal, "id">[] = [
    { ...tenth, code: "EIGHTH", value: 1_250n },
    { ...tenth, code: "LIMITED", limit: 1 },
    { ...tenth, code: "EACH", limitOfCustomer: 1, value: 550n },
    { ...tenth, code: "FIXED", type: "fixed_amount", value: 1_500n },
    { ...tenth, code: "MINIMUM", minimum: 5_000n },
    { ...tenth, code: "CAPPED", value: 3_000n, maximum: 500n },
    { ...tenth, code: "SECOND", value: 3_333n, productId: products[2]?.id ?? "" },
    { ...tenth, code: "EXPIRED", isExpired: true },
  ];
  return Promise.all(
    terms.map(async (deal) => {
      const { productId, minimum, maximum } = deal;
      const { id } = await givenDeal(business, {
        code: deal.code,
        discountType: deal.type,
        value: valueText(deal, decimals),
        minOrderSubtotalMinor: minimum === 0n ? null : Number(minimum),
        maxDiscountMinor: maximum === null ? null : Number(maximum),
        endsAt: deal.isExpired ? Date.now() - 1 : null,
        usageLimit: deal.limit,
        perCustomerLimit: deal.limitOfCustomer,
        ...(productId !== null && { appliesTo: { scope: "product" as const, ids: [productId] } }),
      });
      return { ...deal, id };
    }),
  );
}

/** One of the items, whatever the number. */
export function at<T>(items: readonly T[], position: number): T {
  const item = items[position % items.length];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}
