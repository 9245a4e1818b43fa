import { expect } from "vitest";
import { day } from "../../shared/kernel/index.ts";
import { type ApiResponse, dataOf, shopper } from "../support/world.ts";
import { type Activity, noActivity } from "./activity-model.ts";
import { type Cart, cartView, emptyCart, type Quote } from "./cart-model.ts";
import { assertRoundTrips, type ShownCart, type ShownLine } from "./check-response.ts";
import type { PlacedCashOrder } from "./checkout-model.ts";
import type { Collection } from "./create-groups.ts";
import { noWarnings, type Warnings, withStockWarnings } from "./low-stock-model.ts";
import type { Product, Shop } from "./shop-model.ts";
import {
  advanceClock,
  catalogueCacheMs,
  restoreShop,
  type ShopUnderTest,
} from "./shop-under-test.ts";

export type CartRequest = Readonly<{ method: string; path: string; body?: object }>;

/** A request with an Idempotency-Key, and its response. */
export type KeyedCall = Readonly<{
  request: CartRequest;
  key: string;
  answer: ApiResponse;
  at: number;
  /** Sends it again as a new request. */
  sendAgain: () => Promise<void>;
}>;

export type Shopper = {
  readonly ask: ReturnType<typeof shopper>;
  readonly name: string;
  readonly sessionId: string;
  readonly email: string;
  /** The customer whose deal uses count; a guest is the e-mail address. */
  customer: string;
  /** Whether the shopper is logged in. */
  isKnown: boolean;
  cart: Cart;
  activity: Activity;
  cartId: string;
  /** The text of the last GET /cart; only a write changes it. */
  lastCartText: string;
  keyed: KeyedCall[];
};

/** The state of the model and its connection to the service. */
export type Scene = {
  readonly world: ShopUnderTest;
  readonly shoppers: readonly [Shopper, Shopper];
  shop: Shop;
  /** Earlier states of the shop, which isolates may have cached. */
  pastShops: Readonly<{ until: number; shop: Shop }>[];
  quotes: Quote[];
  collections: readonly Collection[];
  /** The orders of this sequence that are not cancelled. */
  sold: readonly PlacedCashOrder[];
  warnings: Warnings;
  /** Whether an order replaced another; the contract does not say whether stock rose in between. */
  isReplaced: boolean;
  /** The number of orders of the business. */
  orders: number;
  /** The day of the requested slots: its midnight in UTC. */
  readonly day: number;
};

/** Creates two shoppers with empty carts in the restored shop. */
export async function openScene(world: ShopUnderTest): Promise<Scene> {
  const { orders } = await restoreShop(world);
  const { shop } = world;
  const shoppers = [await createShopper(world, "ama"), await createShopper(world, "kofi")] as const;
  const slotDay = Date.now() - (Date.now() % day) + day;
  const { collections } = world;
  const untouched = { sold: [], warnings: noWarnings(shop), isReplaced: false };
  return {
    world,
    shoppers,
    shop,
    pastShops: [],
    quotes: [],
    collections,
    orders,
    day: slotDay,
    ...untouched,
  };
}

/** Creates an anonymous shopper with an empty cart. */
export async function createShopper(
  world: ShopUnderTest,
  name: string,
  ask = shopper(world.business),
): Promise<Shopper> {
  const first = await ask("GET", "/cart");
  const { id, ...shown } = cartOf(first);
  const view = cartView(world.shop, emptyCart);
  expect(shown).toMatchObject({ ...view, business_id: world.business.business.id });
  return {
    ask,
    name,
    sessionId: sessionIdOf(first),
    email: `${name}@example.com`,
    customer: `${name}@example.com`,
    isKnown: false,
    cart: emptyCart,
    activity: noActivity,
    cartId: id,
    lastCartText: bodyText(first),
    keyed: [],
  };
}

/** Sends a request; the clock advances before each. */
export async function send(
  { ask }: Shopper,
  { method, path, body }: CartRequest,
  key?: string,
): Promise<ApiResponse> {
  advanceClock(100);
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  return ask(method, path, { ...(body && { body }), headers });
}

/** Changes the shop; its earlier state may be cached for five seconds. */
export function changeShop(scene: Scene, shop: Shop): void {
  scene.pastShops.push({ until: Date.now(), shop: scene.shop });
  changeStock(scene, shop);
}

/** Changes stock and bookings, which are never cached. */
export function changeStock(scene: Scene, shop: Shop): void {
  scene.warnings = withStockWarnings(scene.warnings, shop);
  scene.shop = shop;
}

/** Every state of the shop that a response may be based on; stock is never cached. */
export function possibleShops({ shop, pastShops: past }: Scene): readonly Shop[] {
  const recent = past.filter(({ until }) => Date.now() - until <= catalogueCacheMs);
  const known = [shop, ...recent.map((one) => one.shop)];
  // A coupon's deal may be read later than the automatic deals.
  const own = distinctLists(known.map(({ deals }) => deals.filter(({ code }) => code === null)));
  const coded = distinctLists(known.map(({ deals }) => deals.filter(({ code }) => code !== null)));
  const deals = own.flatMap((some) => coded.map((others) => [...some, ...others]));
  const products = shop.products.reduce<readonly (readonly Product[])[]>(
    (lists, product) => {
      const versions = recent.flatMap((one) =>
        one.shop.products.filter((p) => p.id === product.id),
      );
      return lists.flatMap((list) =>
        distinct([product, ...versions]).map((version) => [...list, version]),
      );
    },
    [[]],
  );
  const places = distinctLists(known.map(({ locations }) => locations));
  return products.flatMap((products) =>
    deals.flatMap((deals) =>
      places.flatMap((locations) =>
        coverageOptions(products).map((isGoneCovered) => ({
          ...shop,
          ...{ products, deals, locations, isGoneCovered },
        })),
      ),
    ),
  );
}

/** The contract does not say whether deals on a group still cover a product off sale. */
const coverageOptions = (products: readonly Product[]): readonly boolean[] =>
  products.every(({ isActive }) => isActive) ? [true] : [true, false];

/** The time, quotes and other carts of a shopper's request. */
export const writeContextOf = ({ shoppers, quotes }: Scene, { sessionId }: Shopper) => ({
  now: Date.now(),
  quotes,
  otherLines: shoppers
    .filter((one) => one.sessionId !== sessionId)
    .flatMap(({ cart }) => cart.lines),
});

/** Removes duplicate lists; lists are equal if their items and order are. */
const distinctLists = <T>(all: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  all.filter(
    (one, place) =>
      all.findIndex(
        (other) => one.length === other.length && one.every((part, index) => part === other[index]),
      ) === place,
  );

const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];

/** Applies the steps in their order, or in the reverse order if that is impossible. */
export function applyInEitherOrder<T>(
  scene: Scene,
  steps: readonly T[],
  take: (step: T) => void,
): void {
  const { shop, pastShops: past, orders, sold, warnings } = scene;
  const before = { shop, past: [...past], orders, sold, warnings };
  const shoppers = scene.shoppers.map((shopper) => ({ ...shopper }));
  try {
    steps.forEach(take);
  } catch {
    Object.assign(scene, before);
    scene.shoppers.forEach((shopper, position) => {
      Object.assign(shopper, shoppers[position]);
    });
    steps.toReversed().forEach(take);
  }
}

/** Asserts that the cart has not changed by a byte. */
export async function assertCartUnchanged(shopper: Shopper): Promise<void> {
  const cart = await shopper.ask("GET", "/cart");
  expect(bodyText(cart)).toBe(shopper.lastCartText);
  assertRoundTrips(cart, { d1: 1 }); // to look up the key if it is not cached
}

/** Asserts that the cart is unchanged and that its four reads agree. */
export async function assertCartReads(shopper: Shopper): Promise<void> {
  await assertCartUnchanged(shopper);
  const paths = ["/cart/items", "/cart/count", "/cart/total"];
  const answers = await Promise.all(paths.map((path) => shopper.ask("GET", path)));
  const { items, item_count, pricing }: ShownCart = JSON.parse(shopper.lastCartText).data;
  expect(answers.map(dataOf)).toEqual([items, item_count, pricing.total_price]);
  for (const answer of answers) assertRoundTrips(answer, { d1: 0 });
}

/** The shown cart in the form of the model's view. */
export function toCartView(shown: ShownCart, { cart: known }: Pick<Shopper, "cart">) {
  const { items, item_count, pricing, coupon } = shown;
  const { subtotal, discount_total, tax_total, total_price, currency } = pricing;
  const ids = new Set(known.lines.map(({ id }) => id));
  return {
    items: items.map((item) => ({
      ...lineFields(item),
      id: ids.has(item.id) ? item.id : "new",
    })),
    item_count,
    pricing: { subtotal, discount_total, tax_total, total_price, currency },
    coupon: coupon?.code ?? null,
  };
}

/**
 * The fields of the contract (docs/contract/storefront.md#cart-record); responses may have more.
 */
function lineFields(item: ShownLine) {
  const { item_id, name, variant_id, variant_name, quantity, unit_price, line_total } = item;
  const { add_on_options, special_instructions, location_id, billing_plan_id } = item;
  const { scheduled_start, scheduled_end } = item;
  return {
    item_id,
    name,
    variant_id,
    variant_name,
    quantity,
    unit_price,
    line_total,
    add_on_options: [...add_on_options].sort(),
    special_instructions,
    location_id,
    billing_plan_id,
    scheduled_start,
    scheduled_end,
  };
}

/** Gives the model's lines the ids of the shown cart. */
export const withLineIds = (cart: Cart, { items }: ShownCart): Cart => ({
  ...cart,
  lines: cart.lines.map((line, position) => ({ ...line, id: items[position]?.id ?? null })),
});

export const cartOf = (answer: ApiResponse): ShownCart => dataOf(answer);
export const bodyText = ({ body }: ApiResponse): string => JSON.stringify(body);
export const cartText = (data: ShownCart): string => JSON.stringify({ success: true, data });

/** The session id in the cookie's token. */
function sessionIdOf({ headers }: ApiResponse): string {
  const payload = headers.get("set-cookie")?.split(".")[1] ?? "";
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).sub;
}
