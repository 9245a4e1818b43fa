import { expect } from "vitest";
import { type Answer, shopper } from "../support/world.ts";
import { type Activity, noActivity } from "./activity.ts";
import { type Cart, emptyCart, type Quote, viewOf } from "./cart-model.ts";
import { passes, restore, stalenessMs, type World } from "./cart-world.ts";
import type { Sold } from "./checkout-model.ts";
import type { Collection } from "./groups.ts";
import { demandRoundTrips, type ShownCart, type ShownLine } from "./invariants.ts";
import { noWarnings, type Warnings, warnedOf } from "./low-stock.ts";
import type { Product, Shop } from "./shop-model.ts";

export type Request = Readonly<{ method: string; path: string; body?: object }>;

/** A call that was sent with an Idempotency-Key, and what it was answered. */
export type Keyed = Readonly<{
  request: Request;
  key: string;
  answer: Answer;
  at: number;
  /** Sends it once more, as a call of its own. */
  anew: () => Promise<void>;
}>;

export type Shopper = {
  readonly ask: ReturnType<typeof shopper>;
  readonly name: string;
  readonly sessionId: string;
  readonly email: string;
  /** Whose uses of deals this shopper's are: a guest's are the e-mail address's. */
  customer: string;
  /** Whether that is a customer who has logged in. */
  isKnown: boolean;
  cart: Cart;
  activity: Activity;
  cartId: string;
  /** GET /cart as it was last answered: nothing but a write changes a byte of it. */
  seen: string;
  keyed: Keyed[];
};

/** The model and the service side by side. */
export type Scene = {
  readonly world: World;
  readonly shoppers: readonly [Shopper, Shopper];
  shop: Shop;
  /** What the shop was, and until when: an isolate may remember it for a while. */
  past: Readonly<{ until: number; shop: Shop }>[];
  quotes: Quote[];
  collections: readonly Collection[];
  /** The orders of this sequence that stand. */
  sold: readonly Sold[];
  warnings: Warnings;
  /** Whether an order took the place of another: whether pieces rose between the two is not said. */
  isReplaced: boolean;
  /** How many the business has had. */
  orders: number;
  /** The day of the slots that are asked for: its midnight, at UTC. */
  readonly day: number;
};

const dayMs = 24 * 3_600_000;

/** Two shoppers with empty carts before the shop as it was made. */
export async function openScene(world: World): Promise<Scene> {
  const { orders } = await restore(world);
  const { shop } = world;
  const shoppers = [await arrival(world, "ama"), await arrival(world, "kofi")] as const;
  const day = Date.now() - (Date.now() % dayMs) + dayMs;
  const { collections } = world;
  const untouched = { sold: [], warnings: noWarnings(shop), isReplaced: false };
  return { world, shoppers, shop, past: [], quotes: [], collections, orders, day, ...untouched };
}

/** A shopper whom nobody knows, with a cart that is empty. */
export async function arrival(
  world: World,
  name: string,
  ask = shopper(world.business),
): Promise<Shopper> {
  const first = await ask("GET", "/cart");
  const { id, ...shown } = cartIn(first);
  const view = viewOf(world.shop, emptyCart);
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
    seen: textOf(first),
    keyed: [],
  };
}

/** The service's clock goes on between one call and the next. */
export async function send(
  { ask }: Shopper,
  { method, path, body }: Request,
  key?: string,
): Promise<Answer> {
  passes(100);
  const headers = key === undefined ? {} : { "Idempotency-Key": key };
  return ask(method, path, { ...(body && { body }), headers });
}

/** The shop is another from now on; what it was may be remembered for five seconds. */
export function change(scene: Scene, shop: Shop): void {
  scene.past.push({ until: Date.now(), shop: scene.shop });
  restocked(scene, shop);
}

/** The same, where nothing but pieces and places changed, which are never remembered. */
export function restocked(scene: Scene, shop: Shop): void {
  scene.warnings = warnedOf(scene.warnings, shop);
  scene.shop = shop;
}

/** Every state of products and deals that a call of now may be answered from; stock is never remembered. */
export function seenShops({ shop, past }: Scene): readonly Shop[] {
  const recent = past.filter(({ until }) => Date.now() - until <= stalenessMs);
  const known = [shop, ...recent.map((one) => one.shop)];
  // A coupon's deal may be newer known than those that apply by themselves.
  const own = lists(known.map(({ deals }) => deals.filter(({ code }) => code === null)));
  const coded = lists(known.map(({ deals }) => deals.filter(({ code }) => code !== null)));
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
  const places = lists(known.map(({ locations }) => locations));
  return products.flatMap((products) =>
    deals.flatMap((deals) =>
      places.flatMap((locations) =>
        waysOfGone(products).map((isGoneCovered) => ({
          ...shop,
          ...{ products, deals, locations, isGoneCovered },
        })),
      ),
    ),
  );
}

/** Where something is off sale, whether deals for its groups are for it is not said. */
const waysOfGone = (products: readonly Product[]): readonly boolean[] =>
  products.every(({ isActive }) => isActive) ? [true] : [true, false];

/** When a shopper's call is answered, and what stands then beside their cart. */
export const momentOf = ({ shoppers, quotes }: Scene, { sessionId }: Shopper) => ({
  now: Date.now(),
  quotes,
  others: shoppers.filter((one) => one.sessionId !== sessionId).flatMap(({ cart }) => cart.lines),
});

/** Each list once; the same things in the same order are the same list. */
const lists = <T>(all: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  all.filter(
    (one, place) =>
      all.findIndex(
        (other) => one.length === other.length && one.every((part, index) => part === other[index]),
      ) === place,
  );

const distinct = <T>(items: readonly T[]): readonly T[] => [...new Set(items)];

/** Takes the steps in their order or, where that cannot be what happened, in the other. */
export function inAnyOrder<T>(scene: Scene, steps: readonly T[], take: (step: T) => void): void {
  const { shop, past, orders, sold, warnings } = scene;
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

/** Nothing but a write changes a byte of the cart. */
export async function readAsSeen(shopper: Shopper): Promise<void> {
  const cart = await shopper.ask("GET", "/cart");
  expect(textOf(cart)).toBe(shopper.seen);
  demandRoundTrips(cart, { d1: 1 }); // the key, when it was not asked for lately
}

/** The cart is read as it was last answered, and its four ways of being read agree. */
export async function readAllWays(shopper: Shopper): Promise<void> {
  await readAsSeen(shopper);
  const paths = ["/cart/items", "/cart/count", "/cart/total"];
  const answers = await Promise.all(paths.map((path) => shopper.ask("GET", path)));
  const { items, item_count, pricing }: ShownCart = JSON.parse(shopper.seen).data;
  expect(answers.map(dataOf)).toEqual([items, item_count, pricing.total_price]);
  for (const answer of answers) demandRoundTrips(answer, { d1: 0 });
}

/** What an answer shows of the cart, in the model's words. */
export function toldCart(shown: ShownCart, { cart: known }: Pick<Shopper, "cart">) {
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

/** The fields that interface.md names; there may be others. */
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

/** The model's cart with the names that the service gave its lines. */
export const named = (cart: Cart, { items }: ShownCart): Cart => ({
  ...cart,
  lines: cart.lines.map((line, position) => ({ ...line, id: items[position]?.id ?? null })),
});

export const dataOf = ({ body }: Answer) => Object(body).data;
export const cartIn = (answer: Answer): ShownCart => dataOf(answer);
export const textOf = ({ body }: Answer): string => JSON.stringify(body);
export const cartText = (data: ShownCart): string => JSON.stringify({ success: true, data });

/** The session's id stands in the cookie's token, readable and signed. */
function sessionIdOf({ headers }: Answer): string {
  const payload = headers.get("set-cookie")?.split(".")[1] ?? "";
  return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).sub;
}
