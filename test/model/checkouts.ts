import { expect } from "vitest";
import type { Answer } from "../support/world.ts";
import { type Cart, viewOf } from "./cart-model.ts";
import { dealsOf, ledgerOf, passes, stalenessMs, takenBy } from "./cart-world.ts";
import {
  type CheckoutOutcome,
  checkoutOutcomes,
  inOrder,
  type OrderView,
  type Sold,
} from "./checkout-model.ts";
import { demandInvariants, demandRoundTrips } from "./invariants.ts";
import { demandLedger } from "./ledger.ts";
import {
  cartIn,
  change,
  dataOf,
  inAnyOrder,
  momentOf,
  named,
  type Request,
  readAllWays,
  readAsSeen,
  type Scene,
  type Shopper,
  seenShops,
  send,
  textOf,
  toldCart,
} from "./scene.ts";
import type { Shop } from "./shop-model.ts";
import { fitting, refusalIn, toldRefusal } from "./writes.ts";

type Sale = Readonly<{ shopper: Shopper; request: Request; cartId: string }>;

/** What can be seen of a checkout: its answer, the order with its token, the cart afterwards. */
type Observed = Readonly<{ told: object; after: Answer; receipt?: Receipt }>;

type Receipt = Pick<Sold, "id" | "token" | "taken" | "deals">;

/** A checkout with cash of a cart that may be another's. */
export const saleOf = (
  shopper: Shopper,
  cartId = shopper.cartId,
  payment: object = { payment_method: "cash" },
): Sale => ({
  shopper,
  cartId,
  request: {
    method: "POST",
    path: "/checkout",
    body: { cart_id: cartId, customer: { email: shopper.email }, ...payment },
  },
});

/** The sandbox declines it (completions.md 6). */
const declining = {
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: "0241234563", provider: "mtn" },
};

/** Sends a checkout, and holds its answer, its order and the cart afterwards against the model. */
export async function checkOut(
  scene: Scene,
  sale: Sale,
  key = `key-${sale.shopper.keyed.length}`,
): Promise<void> {
  const { shopper, request } = sale;
  const answer = await send(shopper, request, key);
  const anew = () => checkOut(scene, sale, key);
  shopper.keyed.push({ request, key, answer, at: Date.now(), anew });
  accept(scene, sale, await observe(scene, sale, answer));
  if (answer.status === 200) demandRoundTrips(answer, { d1: 3 });
  await readAllWays(shopper);
  await demandLedger(scene);
}

/**
 * A payment that is declined leaves an order with what it took, and the cart; one with cash takes its
 * place, as if the first had never been (completions.md 6).
 */
export async function checkOutTwice(scene: Scene, shopper: Shopper): Promise<void> {
  passes(stalenessMs + 1_000); // so that both see the same shop
  const sale = saleOf(shopper, shopper.cartId, declining);
  if (salesOf(scene, sale).some(({ order }) => isFree(order))) return; // nothing to decline
  const answer = await send(shopper, sale.request);
  if (answer.status !== 503) return accept(scene, sale, await observe(scene, sale, answer));
  await readAsSeen(shopper);
  const sales = salesOf(scene, sale);
  expect(sales).not.toEqual([]);
  scene.orders += 1;
  scene.isReplaced = true;
  const { stock } = await ledgerOf(scene.world);
  expect(sales.map(({ shop }) => shop.stock)).toContainEqual(stock);
  await checkOut(scene, saleOf(shopper));
}

const salesOf = (scene: Scene, { shopper }: Sale) =>
  outcomesOf(scene, shopper, true).flatMap(({ outcome }) =>
    outcome.type === "sold" ? [outcome] : [],
  );

const isFree = ({ total_price }: OrderView): boolean => !/[1-9]/.test(total_price);

/** Two checkouts at once end as if one had come after the other. */
export async function checkOutAtOnce(scene: Scene): Promise<void> {
  const sales = scene.shoppers.map((shopper) => saleOf(shopper));
  const key = `at-once-${Date.now()}`;
  const answers = await Promise.all(
    sales.map(async (sale) => ({ sale, answer: await send(sale.shopper, sale.request, key) })),
  );
  const overtaken = answers.find(({ answer }) => answer.status === 503);
  const first = answers.find((one) => one !== overtaken);
  if (overtaken && first) return comeAgain(scene, { first, overtaken, key });
  const seen: { sale: Sale; observed: Observed }[] = [];
  for (const { sale, answer } of answers)
    seen.push({ sale, observed: await observe(scene, sale, answer) });
  inAnyOrder(scene, seen, ({ sale, observed }) => {
    accept(scene, sale, observed);
  });
  for (const shopper of scene.shoppers) await readAllWays(shopper);
  await demandLedger(scene);
}

type Answered = Readonly<{ sale: Sale; answer: Answer }>;

/**
 * Who came second, and lost to the first what the sale was made of, may be told to come again with the
 * same key: nothing was done till then.
 */
async function comeAgain(
  scene: Scene,
  { first, overtaken, key }: Readonly<{ first: Answered; overtaken: Answered; key: string }>,
): Promise<void> {
  const { sale, answer } = overtaken;
  expect(answer).toMatchObject({
    body: { error: { code: "SERVICE_UNAVAILABLE", retryable: true } },
  });
  const before = offeredTo(scene, sale);
  accept(scene, first.sale, await observe(scene, first.sale, first.answer));
  for (const shopper of scene.shoppers) await readAllWays(shopper);
  await demandLedger(scene);
  expect(offeredTo(scene, sale), "what the first took is none of theirs").not.toEqual(before);
  await checkOut(scene, sale, key);
}

/** All that a sale may come to, but for where its pieces are held. */
const offeredTo = (scene: Scene, { shopper }: Sale): ReadonlySet<string> =>
  new Set(
    outcomesOf(scene, shopper, true).map(({ outcome }) =>
      JSON.stringify(
        outcome.type === "sold" ? { ...outcome.order, taken: [] } : toldRefusal(outcome.refusal),
      ),
    ),
  );

async function observe({ world }: Scene, { shopper }: Sale, answer: Answer): Promise<Observed> {
  const after = await shopper.ask("GET", "/cart");
  if (answer.status !== 200) {
    const refusal = refusalIn(answer);
    const isGone = refusal.rule === "ITEM_UNAVAILABLE";
    const names: unknown = isGone ? Object(answer.body).error?.context?.items : null;
    return { told: { ...toldRefusal(refusal), names }, after };
  }
  const { order_id, bill_token, ...result } = dataOf(answer);
  expect(result).toMatchObject({
    payment_status: "pending",
    requires_authorization: false,
    next_action: { type: "none" },
  });
  const order = dataOf(await shopper.ask("GET", `/orders/${order_id}?token=${bill_token}`));
  const kept = { deals: await dealsOf(world, order_id), taken: await takenBy(world, order_id) };
  const receipt = { ...kept, id: order_id, token: bill_token };
  return { told: { status: 200, order: toldOrder({ ...order, ...kept }) }, after, receipt };
}

function toldOrder(order: OrderView): OrderView {
  const { deals, taken } = order;
  const { status, payment_status, payment_method, location_id, currency, items } = order;
  const { subtotal, discount_total, tax_amount, total_price } = order;
  return {
    status,
    payment_status,
    payment_method,
    location_id,
    currency,
    subtotal,
    discount_total,
    tax_amount,
    total_price,
    items: items.map(({ product_id, product_name, variant_name, quantity, unit_price, total }) => ({
      product_id,
      product_name,
      variant_name,
      quantity,
      unit_price,
      total,
    })),
    deals,
    taken,
    bookings: inOrder(order.bookings.map(toldBooking)),
  };
}

function toldBooking(booking: OrderView["bookings"][number]) {
  const { service_name, location_id, start_time, end_time, participant_count, status } = booking;
  return { service_name, location_id, start_time, end_time, participant_count, status };
}

/** Goes on with the outcome that explains what was seen; throws when none does. */
function accept(scene: Scene, { shopper, cartId }: Sale, { told, after, receipt }: Observed): void {
  const allowed = outcomesOf(scene, shopper, cartId === shopper.cartId).flatMap(
    ({ outcome, seen }) => endings(outcome, { seen, before: shopper.cart }),
  );
  const isSold = Object(told).status === 200;
  const shown = cartIn(after);
  const cart = textOf(after) === shopper.seen ? "as it was" : toldCart(shown, shopper);
  const ending = fitting(allowed, { ...told, cart });
  demandInvariants(shown, scene.shop);
  expect(shown.id === shopper.cartId).toBe(!isSold);
  shopper.cart = named(ending.cart, shown);
  shopper.cartId = shown.id;
  shopper.seen = textOf(after);
  if (isSold) scene.orders += 1;
  if (ending.shop && receipt) {
    const bookings = ending.shop.bookings.slice(scene.shop.bookings.length);
    scene.sold = [...scene.sold, { ...receipt, bookings, customer: shopper.customer }];
  }
  if (ending.shop) change(scene, { ...ending.shop, locations: scene.shop.locations });
}

/** All that may come of a checkout of now, with the shop that each is of. */
function outcomesOf(scene: Scene, shopper: Shopper, cartIsOwn: boolean) {
  const { customer, isKnown, cart } = shopper;
  return seenShops(scene).flatMap((seen) => {
    const truth = { ...scene.shop, locations: seen.locations };
    const moment = { seen, truth, ...momentOf(scene, shopper) };
    const outcomes = checkoutOutcomes(moment, cart, { cartIsOwn, customer, isKnown });
    return outcomes.map((outcome) => ({ outcome, seen }));
  });
}

type Ending = Readonly<{ told: object; cart: Cart; shop?: Shop }>;

/** How it may look afterwards, one for each cart that may be left. */
function endings(
  outcome: CheckoutOutcome,
  { seen, before }: { seen: Shop; before: Cart },
): readonly Ending[] {
  if (outcome.type === "sold") {
    const { cart, order, shop } = outcome;
    return [{ told: { status: 200, order, cart: viewOf(seen, cart) }, cart, shop }];
  }
  const { refusal, leaves, names = null } = outcome;
  const told = { ...toldRefusal(refusal), names };
  if (leaves === null) return [{ told: { ...told, cart: "as it was" }, cart: before }];
  return leaves.map((cart) => ({ told: { ...told, cart: viewOf(seen, cart) }, cart }));
}
