import { expect } from "vitest";
import type { ApiResponse } from "../support/world.ts";
import { dataOf } from "../support/world.ts";
import { type Cart, cartView } from "./cart-model.ts";
import { findMatch, refusalOf, refusalResult } from "./cart-writes.ts";
import { assertCartInvariants, assertRoundTrips } from "./check-response.ts";
import { assertTables } from "./check-tables.ts";
import {
  type CheckoutOutcome,
  checkoutOutcomes,
  type OrderView,
  type PlacedCashOrder,
  sorted,
} from "./checkout-model.ts";
import {
  applyInEitherOrder,
  assertCartReads,
  assertCartUnchanged,
  bodyText,
  type CartRequest,
  cartOf,
  changeShop,
  possibleShops,
  type Scene,
  type Shopper,
  send,
  toCartView,
  withLineIds,
  writeContextOf,
} from "./scene.ts";
import type { Shop } from "./shop-model.ts";
import {
  advanceClock,
  catalogueCacheMs,
  readReservations,
  readTables,
  readUsedDeals,
} from "./shop-under-test.ts";

type CheckoutAttempt = Readonly<{ shopper: Shopper; request: CartRequest; cartId: string }>;

/** The response of a checkout, its order, and the cart afterwards. */
type CheckoutResult = Readonly<{ result: object; after: ApiResponse; receipt?: OrderReceipt }>;

type OrderReceipt = Pick<PlacedCashOrder, "id" | "token" | "taken" | "deals">;

/** A cash checkout of a cart, which may be another shopper's. */
export const checkoutOf = (
  shopper: Shopper,
  cartId = shopper.cartId,
  payment: object = { payment_method: "cash" },
): CheckoutAttempt => ({
  shopper,
  cartId,
  request: {
    method: "POST",
    path: "/checkout",
    body: { cart_id: cartId, customer: { email: shopper.email }, ...payment },
  },
});

/** The sandbox provider declines this number. */
const decliningPayment = {
  payment_method: "mobile_money",
  mobile_money_details: { phone_number: "0241234563", provider: "mtn" },
};

/**
 * Sends a checkout and checks its response, its order and the cart afterwards against the model.
 */
export async function checkOut(
  scene: Scene,
  sale: CheckoutAttempt,
  key = `key-${sale.shopper.keyed.length}`,
): Promise<void> {
  const { shopper, request } = sale;
  const answer = await send(shopper, request, key);
  const sendAgain = () => checkOut(scene, sale, key);
  shopper.keyed.push({ request, key, answer, at: Date.now(), sendAgain });
  acceptResult(scene, sale, await readResult(scene, sale, answer));
  if (answer.status === 200) assertRoundTrips(answer, { d1: 3 });
  await assertCartReads(shopper);
  await assertTables(scene);
}

/**
 * A declined payment leaves the order with its reservations, and the cart. A cash checkout then
 * replaces that order (docs/contract/storefront.md#checkout-replacement).
 */
export async function checkOutAfterDecline(scene: Scene, shopper: Shopper): Promise<void> {
  advanceClock(catalogueCacheMs + 1_000); // so that both checkouts see the same shop
  const sale = checkoutOf(shopper, shopper.cartId, decliningPayment);
  if (possibleOrders(scene, sale).some(({ order }) => isFreeOfCharge(order))) return; // there is no payment to decline
  const answer = await send(shopper, sale.request);
  if (answer.status !== 503)
    return acceptResult(scene, sale, await readResult(scene, sale, answer));
  await assertCartUnchanged(shopper);
  const sales = possibleOrders(scene, sale);
  expect(sales).not.toEqual([]);
  scene.orders += 1;
  scene.isReplaced = true;
  const { stock } = await readTables(scene.world);
  expect(sales.map(({ shop }) => shop.stock)).toContainEqual(stock);
  await checkOut(scene, checkoutOf(shopper));
}

const possibleOrders = (scene: Scene, { shopper }: CheckoutAttempt) =>
  possibleOutcomes(scene, shopper, true).flatMap(({ outcome }) =>
    outcome.type === "sold" ? [outcome] : [],
  );

const isFreeOfCharge = ({ total_price }: OrderView): boolean => !/[1-9]/.test(total_price);

/** Two concurrent checkouts have the result of one order or the other. */
export async function checkOutConcurrently(scene: Scene): Promise<void> {
  const sales = scene.shoppers.map((shopper) => checkoutOf(shopper));
  const key = `at-once-${Date.now()}`;
  const answers = await Promise.all(
    sales.map(async (sale) => ({ sale, answer: await send(sale.shopper, sale.request, key) })),
  );
  const overtaken = answers.find(({ answer }) => answer.status === 503);
  const first = answers.find((one) => one !== overtaken);
  if (overtaken && first) return retryCheckout(scene, { first, overtaken, key });
  const seen: { sale: CheckoutAttempt; observed: CheckoutResult }[] = [];
  for (const { sale, answer } of answers)
    seen.push({ sale, observed: await readResult(scene, sale, answer) });
  applyInEitherOrder(scene, seen, ({ sale, observed }) => {
    acceptResult(scene, sale, observed);
  });
  for (const shopper of scene.shoppers) await assertCartReads(shopper);
  await assertTables(scene);
}

type AttemptResponse = Readonly<{ sale: CheckoutAttempt; answer: ApiResponse }>;

/**
 * The second checkout may be asked to retry with the same key when the first took its stock;
 * nothing was changed until then.
 */
async function retryCheckout(
  scene: Scene,
  {
    first,
    overtaken,
    key,
  }: Readonly<{ first: AttemptResponse; overtaken: AttemptResponse; key: string }>,
): Promise<void> {
  const { sale, answer } = overtaken;
  expect(answer).toMatchObject({
    body: { error: { code: "SERVICE_UNAVAILABLE", retryable: true } },
  });
  const before = possibleResults(scene, sale);
  acceptResult(scene, first.sale, await readResult(scene, first.sale, first.answer));
  for (const shopper of scene.shoppers) await assertCartReads(shopper);
  await assertTables(scene);
  expect(possibleResults(scene, sale), "what the first took is none of theirs").not.toEqual(before);
  await checkOut(scene, sale, key);
}

/** The possible results of a checkout, without the locations of its reservations. */
const possibleResults = (scene: Scene, { shopper }: CheckoutAttempt): ReadonlySet<string> =>
  new Set(
    possibleOutcomes(scene, shopper, true).map(({ outcome }) =>
      JSON.stringify(
        outcome.type === "sold" ? { ...outcome.order, taken: [] } : refusalResult(outcome.refusal),
      ),
    ),
  );

async function readResult(
  { world }: Scene,
  { shopper }: CheckoutAttempt,
  answer: ApiResponse,
): Promise<CheckoutResult> {
  const after = await shopper.ask("GET", "/cart");
  if (answer.status !== 200) {
    const refusal = refusalOf(answer);
    const isGone = refusal.rule === "ITEM_UNAVAILABLE";
    const names: unknown = isGone ? Object(answer.body).error?.context?.items : null;
    return { result: { ...refusalResult(refusal), names }, after };
  }
  const { order_id, bill_token, ...result } = dataOf(answer);
  expect(result).toMatchObject({
    payment_status: "pending",
    requires_authorization: false,
    next_action: { type: "none" },
  });
  const order = dataOf(await shopper.ask("GET", `/orders/${order_id}?token=${bill_token}`));
  const kept = {
    deals: await readUsedDeals(world, order_id),
    taken: await readReservations(world, order_id),
  };
  const receipt = { ...kept, id: order_id, token: bill_token };
  return { result: { status: 200, order: toOrderView({ ...order, ...kept }) }, after, receipt };
}

function toOrderView(order: OrderView): OrderView {
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
    bookings: sorted(order.bookings.map(toBookingView)),
  };
}

function toBookingView(booking: OrderView["bookings"][number]) {
  const { service_name, location_id, start_time, end_time, participant_count, status } = booking;
  return { service_name, location_id, start_time, end_time, participant_count, status };
}

/** Adopts the outcome that matches the result; throws when none does. */
function acceptResult(
  scene: Scene,
  { shopper, cartId }: CheckoutAttempt,
  { result, after, receipt }: CheckoutResult,
): void {
  const allowed = possibleOutcomes(scene, shopper, cartId === shopper.cartId).flatMap(
    ({ outcome, seen }) => endingsOf(outcome, { seen, before: shopper.cart }),
  );
  const isSold = Object(result).status === 200;
  const shown = cartOf(after);
  const cart = bodyText(after) === shopper.lastCartText ? "as it was" : toCartView(shown, shopper);
  const ending = findMatch(allowed, { ...result, cart });
  assertCartInvariants(shown, scene.shop);
  expect(shown.id === shopper.cartId).toBe(!isSold);
  shopper.cart = withLineIds(ending.cart, shown);
  shopper.cartId = shown.id;
  shopper.lastCartText = bodyText(after);
  if (isSold) scene.orders += 1;
  if (ending.shop && receipt) {
    const bookings = ending.shop.bookings.slice(scene.shop.bookings.length);
    scene.sold = [...scene.sold, { ...receipt, bookings, customer: shopper.customer }];
  }
  if (ending.shop) changeShop(scene, { ...ending.shop, locations: scene.shop.locations });
}

/**
 * The possible outcomes of a checkout, each with the state of the shop that it saw. An order is
 * placed at current prices only; a refusal may be based on cached ones.
 */
function possibleOutcomes(scene: Scene, shopper: Shopper, cartIsOwn: boolean) {
  const { customer, isKnown, cart } = shopper;
  return possibleShops(scene).flatMap((seen) => {
    const truth = { ...scene.shop, locations: seen.locations };
    const moment = { seen, truth, ...writeContextOf(scene, shopper) };
    const outcomes = checkoutOutcomes(moment, cart, { cartIsOwn, customer, isKnown });
    const isPossible = ({ type }: CheckoutOutcome) =>
      type !== "sold" || hasSamePrices(seen, scene.shop);
    return outcomes.filter(isPossible).map((outcome) => ({ outcome, seen }));
  });
}

/** Uses of deals do not count as prices. */
const hasSamePrices = (seen: Shop, current: Shop): boolean =>
  pricesText(seen) === pricesText(current);

const pricesText = ({ products, deals }: Shop): string => {
  const terms = deals.map((deal) => ({ ...deal, usedBy: [] }));
  const byId = terms.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return JSON.stringify([products, byId], (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
};

type CheckoutEnding = Readonly<{ result: object; cart: Cart; shop?: Shop }>;

/** The accepted results of an outcome, one for each cart that it may leave. */
function endingsOf(
  outcome: CheckoutOutcome,
  { seen, before }: { seen: Shop; before: Cart },
): readonly CheckoutEnding[] {
  if (outcome.type === "sold") {
    const { cart, order, shop } = outcome;
    return [{ result: { status: 200, order, cart: cartView(seen, cart) }, cart, shop }];
  }
  const { refusal, leaves, names = null } = outcome;
  const result = { ...refusalResult(refusal), names };
  if (leaves === null) return [{ result: { ...result, cart: "as it was" }, cart: before }];
  return leaves.map((cart) => ({ result: { ...result, cart: cartView(seen, cart) }, cart }));
}
