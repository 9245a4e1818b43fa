import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import {
  cancelOrder,
  cancelUnpaidOrder,
  changeOrderStatus,
  markOrderPaid,
  type OrderContext,
  type OrderDetails,
  orderRepo,
  refundOrder,
  settleRefund,
  tryVerifyPayment,
  verifyPayment,
} from "../../shared/orders/index.ts";
import {
  createOrder,
  createOrderContext,
  type OrderPaymentMethod,
  type PlacedOrder,
} from "../support/create-order.ts";
import { createProduct, setStock } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, createBusinessOnSameShard } from "../support/world.ts";

type ShopWithProduct = CreatedBusiness & Readonly<{ product: Product }>;

/** Two businesses on one shard, and one on the other. */
const shops: ShopWithProduct[] = [];
const onHand = 100_000;

beforeAll(async () => {
  const first = await createBusiness();
  const alone = await createBusinessOnOtherShard(first);
  for (const shop of [first, await createBusinessOnSameShard(first), alone]) {
    const fields = { defaultPriceMinor: 1_000, inventoryType: "tracked" } as const;
    const product = await createProduct(shop, fields);
    await setStock(shop, product, onHand);
    shops.push({ ...shop, product });
  }
});

async function createBusinessOnOtherShard({ business }: CreatedBusiness): Promise<CreatedBusiness> {
  for (;;) {
    const other = await createBusiness();
    if (other.business.shard !== business.shard) return other;
  }
}

/** The state of an order of 20.00 before the concurrent changes. */
type StartingPoint = Readonly<{
  name: string;
  how: OrderPaymentMethod;
  prepared?: (shop: ShopWithProduct, sale: PlacedOrder) => unknown;
}>;

const captureUnnoticed = (shop: ShopWithProduct, { id }: PlacedOrder) =>
  selectRows(shop, "update sandbox_charges set status = 'captured' where order_id = ?", id);

const startingPoints: readonly StartingPoint[] = [
  { name: "that is paid", how: "0" },
  { name: "that was captured without our noticing", how: "2", prepared: captureUnnoticed },
  { name: "that waits for the phone", how: "2" },
  { name: "to be paid in cash", how: "cash" },
];

type Act = (ctx: OrderContext, details: OrderDetails) => Promise<unknown>;

const refundOf = (amountMinor: number | null) => (ctx: OrderContext, details: OrderDetails) =>
  refundOrder(ctx, details, { amountMinor, reason: null, restock: true, requestKey: null });
const cancelBy =
  (initiator: "customer" | "business") => (ctx: OrderContext, details: OrderDetails) =>
    cancelOrder(ctx, details, { reason: null, initiator: initiator, requestKey: null });

const acts: Readonly<Record<string, Act>> = {
  "a refund of most": refundOf(1_500),
  "a refund of what is left": refundOf(null),
  "the shopper's cancel": cancelBy("customer"),
  "the merchant's cancel": cancelBy("business"),
  "the shopper's verify-payment": verifyPayment,
  "the provider's notice": (ctx, details) => tryVerifyPayment(ctx, details),
  "its expiry": (ctx, details) => cancelUnpaidOrder(ctx, details, "Nobody paid."),
  "mark-paid": (ctx, details) => markOrderPaid(ctx, details, { method: "cash", reference: null }),
  "its completion": (ctx, details) =>
    changeOrderStatus(ctx, details, { status: "completed", requestKey: null }),
};

const { MODEL_RACES: raceMode }: Record<string, string | undefined> = import.meta.env;

/** Every pair of actions, including an action with itself. */
const names = Object.keys(acts);
const pairs = names.flatMap((one, at) => names.slice(at).map((other) => [one, other]));

/**
 * Each pair runs from one starting point (MODEL_RACES=all: from all), and all actions together from
 * every one.
 */
const combinationsFor = (world: StartingPoint): readonly (readonly string[])[] => [
  ...pairs.filter(
    (_, at) => raceMode === "all" || startingPoints[at % startingPoints.length] === world,
  ),
  [...names, ...names],
];

/** Verifies the payment and sends pending refunds, so that nothing is in progress afterwards. */
async function settleEverything(ctx: OrderContext, id: string): Promise<OrderDetails> {
  const orders = orderRepo(ctx);
  await tryVerifyPayment(ctx, await orders.get(id));
  for (const { id: refundId, status } of (await orders.get(id)).refunds)
    if (status === "pending")
      await settleRefund(ctx, await orders.get(id), { refundId, onRefusal: "try-again" });
  return orders.get(id);
}

async function loadEventTypes(
  shop: ShopWithProduct,
  { payment, order }: OrderDetails,
): Promise<string[]> {
  const rows = await selectRows(
    shop,
    "select type from events where business_id = ? and subject_id in (?, ?)",
    shop.business.id,
    payment.id,
    order.id,
  );
  return rows.map(({ type }) => String(type));
}

async function expectConsistent(shop: ShopWithProduct, details: OrderDetails): Promise<void> {
  const { order, payment, refunds } = details;
  const back = refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const isPaid = payment.settledAt !== null;
  expect(order.paymentStatus).toBe(payment.status);
  expect(new Set(refunds.map(({ status }) => status))).toEqual(
    new Set(refunds.length > 0 ? ["refunded"] : []),
  );
  expect(back).toBeLessThanOrEqual(isPaid ? payment.amountMinor : 0);
  if (order.status === "cancelled") expect(back).toBe(isPaid ? payment.amountMinor : 0);
  await expectProviderAgrees(shop, details, back);
  const events = await loadEventTypes(shop, details);
  const count = (type: string) => events.filter((one) => one === type).length;
  expect(count("payment.completed")).toBe(isPaid ? 1 : 0);
  expect(count("payment.refunded")).toBe(refunds.length);
  expect(count("order.cancelled")).toBe(order.status === "cancelled" ? 1 : 0);
  expect(count("order.completed")).toBe(order.status === "completed" ? 1 : 0);
}

async function expectProviderAgrees(
  shop: ShopWithProduct,
  { order, payment }: OrderDetails,
  back: number,
) {
  const query = "select status, refunded_minor from sandbox_charges where order_id = ?";
  const charges = await selectRows(shop, query, order.id);
  if (payment.provider === "cash") return expect(charges).toEqual([]);
  const isTaken = charges.map(({ status }) => status === "captured" || status === "refunded");
  expect(isTaken).toEqual([payment.settledAt !== null]);
  expect(charges[0]?.refunded_minor).toBe(back);
}

/** Stock is available, reserved by an open order, or taken by a completed one. */
async function expectStock(shop: ShopWithProduct, { order, refunds }: OrderDetails): Promise<void> {
  const isBack = refunds.some(({ isRestocked }) => isRestocked);
  const [reserved] = await selectRows(
    shop,
    "select coalesce(sum(quantity), 0) as held from stock_reservations where order_id = ?",
    order.id,
  );
  const isOver = order.status === "completed" || order.status === "cancelled";
  expect(reserved?.held).toBe(isOver || isBack ? 0 : 2);
}

describe.each(startingPoints)("an order $name", (world) => {
  const { how, prepared } = world;
  it.each(combinationsFor(world).map((those, at) => [those.join(" beside "), those, at] as const))(
    "neither loses money nor charges twice: %s",
    async (_, those, at) => {
      const shop = shops[at % shops.length];
      if (!shop) throw new Error("There is no shop.");
      const sale = await createOrder(shop, shop.product.id, { payWith: how });
      await prepared?.(shop, sale);
      const ctx = createOrderContext(shop);
      const details = await orderRepo(ctx).get(sale.id);
      await Promise.allSettled(
        those.map((name) => acts[name]?.(createOrderContext(shop), details)),
      );
      const after = await settleEverything(ctx, sale.id);
      await expectConsistent(shop, after);
      await expectStock(shop, after);
    },
  );
});
