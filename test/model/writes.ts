import { expect } from "vitest";
import type { Answer } from "../support/world.ts";
import { type Cart, countOf, type Moment, viewOf } from "./cart-model.ts";
import type { Outcome, Refusal } from "./cart-rules.ts";
import { demandInvariants, demandRoundTrips, demandTime, type ShownCart } from "./invariants.ts";
import { demandLedger } from "./ledger.ts";
import {
  cartText,
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

/** A call that writes the cart, and what the contract says may come of it. */
export type Write = Readonly<{
  request: Request;
  outcome: (moment: Moment, cart: Cart) => Outcome;
  /** Round trips beyond those of every write: one where stock is counted, one for a quote. */
  extra: number;
}>;

/** With a key: once, also where nobody is to ask for it again, or twice at the same moment. */
export type Manner = "plain" | "keyed" | "unkept" | "twice at once";

/** Sends a write, and holds its answer and the cart afterwards against the model. */
export async function write(
  scene: Scene,
  shopper: Shopper,
  { call, manner, key = `key-${shopper.keyed.length}` }: Sending,
): Promise<void> {
  const at = Date.now() + 100;
  const answer = await sent(shopper, call.request, { manner, key });
  demandRoundTrips(answer, { d1: 2 + call.extra, isRefused: answer.status !== 200 });
  if (manner !== "plain" && manner !== "unkept") {
    const anew = () => write(scene, shopper, { call, manner: "keyed", key });
    shopper.keyed.push({ request: call.request, key, answer, at, anew });
  }
  expect(isReplay(answer)).toBe(false);
  const wasHolding = isHoldingAny(shopper);
  const isWritten = accept(scene, shopper, { call, answer });
  await (isWritten ? readAllWays : readAsSeen)(shopper);
  if (wasHolding || isHoldingAny(shopper)) await demandLedger(scene);
}

/** Whether places may be held for some of the cart: the tables tell what is, and for how long. */
const isHoldingAny = ({ cart }: Shopper): boolean =>
  cart.lines.some(({ heldUntil }) => heldUntil !== null);

type Sending = Readonly<{ call: Write; manner: Manner; key?: string }>;

async function sent(
  shopper: Shopper,
  request: Request,
  { manner, key }: { manner: Manner; key: string },
): Promise<Answer> {
  if (manner === "plain") return send(shopper, request);
  const first = send(shopper, request, key);
  if (manner !== "twice at once") return first;
  const answers = await Promise.all([first, send(shopper, request, key)]);
  expect(textOf(answers[1])).toBe(textOf(answers[0]));
  const replays = answers.filter(isReplay);
  expect(replays).toHaveLength(isKept(answers[0]) ? 1 : 0);
  return answers.find((answer) => !isReplay(answer)) ?? answers[0];
}

export const isReplay = ({ headers }: Answer): boolean =>
  headers.get("Idempotency-Replayed") === "true";

/** A 400 is no answer to keep: nothing was asked yet. */
export const isKept = ({ status }: Answer): boolean => [200, 404, 422].includes(status);

/** Goes on with the cart that explains the answer, if it is one; throws when none does. */
function accept(
  scene: Scene,
  shopper: Shopper,
  { call, answer }: { call: Write; answer: Answer },
): boolean {
  const cart = matched(scene, shopper, { call, answer });
  if (cart === null) return false;
  const shown = shownBy(answer);
  demandInvariants(shown, scene.shop);
  expect(shown.id).toBe(shopper.cartId);
  demandTime(shown, JSON.parse(shopper.seen).data);
  shopper.seen = cartText(shown);
  if (countOf(cart) > countOf(shopper.cart)) {
    const isAdd = call.request.path === "/cart/items";
    shopper.activity = { ...shopper.activity, [isAdd ? "addedAt" : "raisedAt"]: Date.now() };
  }
  shopper.cart = named(cart, shown);
  return true;
}

/** Two writes of one cart at once end as if one had come after the other. */
export async function writeAtOnce(
  scene: Scene,
  shopper: Shopper,
  calls: readonly Write[],
): Promise<void> {
  const parts = await Promise.all(
    calls.map(async (call) => ({ call, answer: await send(shopper, call.request) })),
  );
  inAnyOrder(scene, parts, (part) => accept(scene, shopper, part));
  await readAllWays(shopper);
}

/** The cart that the model has for this answer, null for a refusal; throws when nothing fits. */
function matched(
  scene: Scene,
  shopper: Shopper,
  { call, answer }: { call: Write; answer: Answer },
): Cart | null {
  const told = toldBy(answer, shopper);
  const allowed = seenShops(scene).flatMap((shop) =>
    allowedBy(call.outcome({ shop, ...momentOf(scene, shopper) }, shopper.cart), shop),
  );
  return fitting(allowed, told).cart;
}

type Allowed = Readonly<{ told: object; cart: Cart | null }>;

function allowedBy(outcome: Outcome, shop: Shop): readonly Allowed[] {
  if (outcome.type === "refused") {
    return outcome.refusals.map((refusal) => ({ told: toldRefusal(refusal), cart: null }));
  }
  const { carts, item } = outcome;
  return carts.map((cart) => ({ told: { status: 200, cart: viewOf(shop, cart), item }, cart }));
}

/** The one that fits what was told; the failure shows both. */
export function fitting<T extends Readonly<{ told: object }>>(
  allowed: readonly T[],
  told: object,
): T {
  const match = allowed.find((one) => sameJson(one.told, told));
  if (!match) expect(allowed.map((one) => one.told)).toContainEqual(told);
  return match ?? expect.unreachable("What was told equals what is allowed, and does not.");
}

const sameJson = (one: unknown, other: unknown): boolean => inOrder(one) === inOrder(other);

const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

function toldBy(answer: Answer, shopper: Shopper): object {
  if (answer.status !== 200) return toldRefusal(refusalIn(answer));
  const { items } = shownBy(answer);
  const written = dataOf(answer).item;
  const place = items.findIndex(({ id }) => id === written?.id);
  if (written) expect(items[place]).toEqual(written);
  const item = written ? place : null;
  return { status: 200, cart: toldCart(shownBy(answer), shopper), item };
}

export const toldRefusal = ({ status, rule, available }: Refusal) => ({
  status,
  rule: rule ?? null,
  available: available ?? null,
});

export function refusalIn({ status, body }: Answer): Refusal {
  const { message, context } = Object(body).error ?? {};
  const { rule, quantity_available } = context ?? {};
  // No 5xx is ever allowed; the failure is to say what it was.
  if (status >= 500) return { status, rule: message };
  return { status, ...(status === 422 && { rule, available: quantity_available }) };
}

/** The cart of a write's answer, without the line that was written. */
function shownBy(answer: Answer): ShownCart {
  const { item: _, ...cart } = dataOf(answer);
  return cart;
}
