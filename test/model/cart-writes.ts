import { expect } from "vitest";
import type { ApiResponse } from "../support/world.ts";
import { dataOf } from "../support/world.ts";
import { type Cart, cartView, countOf, type WriteContext } from "./cart-model.ts";
import type { Outcome, Refusal } from "./cart-rules.ts";
import {
  assertCartInvariants,
  assertRoundTrips,
  assertUpdatedAt,
  type ShownCart,
} from "./check-response.ts";
import { assertTables } from "./check-tables.ts";
import {
  applyInEitherOrder,
  assertCartReads,
  assertCartUnchanged,
  bodyText,
  type CartRequest,
  cartText,
  possibleShops,
  type Scene,
  type Shopper,
  send,
  toCartView,
  withLineIds,
  writeContextOf,
} from "./scene.ts";
import type { Shop } from "./shop-model.ts";

/** A cart request and the results that the contract allows. */
export type CartWrite = Readonly<{
  request: CartRequest;
  outcome: (moment: WriteContext, cart: Cart) => Outcome;
  /** Round trips in addition to those of every write: one for tracked stock, one for a quote. */
  extraRoundTrips: number;
}>;

/**
 * How a request is sent: without a key, with a key, with a key that no later step repeats, or twice
 * at the same time.
 */
export type SendManner = "plain" | "keyed" | "unkept" | "twice at once";

/** Sends a write and checks its response and the cart afterwards against the model. */
export async function sendWrite(
  scene: Scene,
  shopper: Shopper,
  { call, manner, key = `key-${shopper.keyed.length}` }: WriteOptions,
): Promise<void> {
  const at = Date.now() + 100;
  const answer = await sendInManner(shopper, call.request, { manner, key });
  assertRoundTrips(answer, { d1: 2 + call.extraRoundTrips, isRefused: answer.status !== 200 });
  if (manner !== "plain" && manner !== "unkept") {
    const sendAgain = () => sendWrite(scene, shopper, { call, manner: "keyed", key });
    shopper.keyed.push({ request: call.request, key, answer, at, sendAgain });
  }
  expect(isReplay(answer)).toBe(false);
  const wasHolding = isHoldingAny(shopper);
  const isWritten = acceptCart(scene, shopper, { call, answer });
  await (isWritten ? assertCartReads : assertCartUnchanged)(shopper);
  if (wasHolding || isHoldingAny(shopper)) await assertTables(scene);
}

/** Whether the cart may have slot holds; the tables show which are valid. */
const isHoldingAny = ({ cart }: Shopper): boolean =>
  cart.lines.some(({ holdExpiresAt }) => holdExpiresAt !== null);

type WriteOptions = Readonly<{ call: CartWrite; manner: SendManner; key?: string }>;

async function sendInManner(
  shopper: Shopper,
  request: CartRequest,
  { manner, key }: { manner: SendManner; key: string },
): Promise<ApiResponse> {
  if (manner === "plain") return send(shopper, request);
  const first = send(shopper, request, key);
  if (manner !== "twice at once") return first;
  const answers = await Promise.all([first, send(shopper, request, key)]);
  expect(bodyText(answers[1])).toBe(bodyText(answers[0]));
  const replays = answers.filter(isReplay);
  expect(replays).toHaveLength(isStoredResponse(answers[0]) ? 1 : 0);
  return answers.find((answer) => !isReplay(answer)) ?? answers[0];
}

export const isReplay = ({ headers }: ApiResponse): boolean =>
  headers.get("Idempotency-Replayed") === "true";

/** The statuses whose responses are stored; a 400 is none of them. */
export const isStoredResponse = ({ status }: ApiResponse): boolean =>
  [200, 404, 422].includes(status);

/**
 * Adopts the cart that matches the response and returns whether there is one; throws when no result
 * matches.
 */
export function acceptCart(
  scene: Scene,
  shopper: Shopper,
  { call, answer }: { call: CartWrite; answer: ApiResponse },
): boolean {
  const cart = findMatchingCart(scene, shopper, { call, answer });
  if (cart === null) return false;
  const shown = shownCart(answer);
  assertCartInvariants(shown, scene.shop);
  expect(shown.id).toBe(shopper.cartId);
  assertUpdatedAt(shown, JSON.parse(shopper.lastCartText).data);
  shopper.lastCartText = cartText(shown);
  if (countOf(cart) > countOf(shopper.cart)) {
    const isAdd = call.request.path === "/cart/items";
    shopper.activity = { ...shopper.activity, [isAdd ? "addedAt" : "raisedAt"]: Date.now() };
  }
  shopper.cart = withLineIds(cart, shown);
  return true;
}

/** Two concurrent writes to a cart have the result of one order or the other. */
export async function sendConcurrentWrites(
  scene: Scene,
  shopper: Shopper,
  calls: readonly CartWrite[],
): Promise<void> {
  const parts = await Promise.all(
    calls.map(async (call) => ({ call, answer: await send(shopper, call.request) })),
  );
  applyInEitherOrder(scene, parts, (part) => acceptCart(scene, shopper, part));
  await assertCartReads(shopper);
}

/** The model's cart for this response, null for a refusal; throws when nothing matches. */
function findMatchingCart(
  scene: Scene,
  shopper: Shopper,
  { call, answer }: { call: CartWrite; answer: ApiResponse },
): Cart | null {
  const result = resultOf(answer, shopper);
  const allowed = possibleShops(scene).flatMap((shop) =>
    allowedResults(call.outcome({ shop, ...writeContextOf(scene, shopper) }, shopper.cart), shop),
  );
  return findMatch(allowed, result).cart;
}

type AllowedResult = Readonly<{ result: object; cart: Cart | null }>;

function allowedResults(outcome: Outcome, shop: Shop): readonly AllowedResult[] {
  if (outcome.type === "refused") {
    return outcome.refusals.map((refusal) => ({ result: refusalResult(refusal), cart: null }));
  }
  const { carts, item } = outcome;
  return carts.map((cart) => ({ result: { status: 200, cart: cartView(shop, cart), item }, cart }));
}

/** The allowed result that matches; a failure shows both. */
export function findMatch<T extends Readonly<{ result: object }>>(
  allowed: readonly T[],
  result: object,
): T {
  const match = allowed.find((one) => sameJson(one.result, result));
  if (!match) expect(allowed.map((one) => one.result)).toContainEqual(result);
  return match ?? expect.unreachable("The result equals an allowed one and does not match it.");
}

const sameJson = (one: unknown, other: unknown): boolean => sortedJson(one) === sortedJson(other);

const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

function resultOf(answer: ApiResponse, shopper: Shopper): object {
  if (answer.status !== 200) return refusalResult(refusalOf(answer));
  const { items } = shownCart(answer);
  const written = dataOf(answer).item;
  const index = items.findIndex(({ id }) => id === written?.id);
  if (written) expect(items[index]).toEqual(written);
  const item = written ? index : null;
  return { status: 200, cart: toCartView(shownCart(answer), shopper), item };
}

export const refusalResult = ({ status, rule, available }: Refusal) => ({
  status,
  rule: rule ?? null,
  available: available ?? null,
});

export function refusalOf({ status, body }: ApiResponse): Refusal {
  const { message, context } = Object(body).error ?? {};
  const { rule, quantity_available } = context ?? {};
  // No 5xx is allowed; the failure shows its message.
  if (status >= 500) return { status, rule: message };
  return { status, ...(status === 422 && { rule, available: quantity_available }) };
}

/** The cart in a write's response, without the separate line. */
function shownCart(answer: ApiResponse): ShownCart {
  const { item: _, ...cart } = dataOf(answer);
  return cart;
}
