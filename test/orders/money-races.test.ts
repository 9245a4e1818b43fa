import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import {
  cancelOrder,
  cancelUnpaidOrder,
  changeStatus,
  markPaid,
  type OrderContext,
  orderRepo,
  type PaidOrder,
  refundOrder,
  settleRefund,
  verifiedPayment,
  verifyPayment,
} from "../../shared/orders/index.ts";
import { givenProduct, givenStock } from "../support/catalogue.ts";
import { givenNeighbour } from "../support/neighbour.ts";
import { givenSale, type How, orderContextFor, type Sold } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";

type Shop = CreatedBusiness & Readonly<{ product: Product }>;

/** Two businesses of one shard, and one of the other. */
const shops: Shop[] = [];
const onHand = 100_000;

beforeAll(async () => {
  const first = await givenBusiness();
  const alone = await givenOtherShard(first);
  for (const shop of [first, await givenNeighbour(first), alone]) {
    const fields = { defaultPriceMinor: 1_000, inventoryType: "tracked" } as const;
    const product = await givenProduct(shop, fields);
    await givenStock(shop, product, onHand);
    shops.push({ ...shop, product });
  }
});

async function givenOtherShard({ business }: CreatedBusiness): Promise<CreatedBusiness> {
  for (;;) {
    const other = await givenBusiness();
    if (other.business.shard !== business.shard) return other;
  }
}

/** An order of 20.00 before anything happens to it at once. */
type World = Readonly<{ name: string; how: How; prepared?: (shop: Shop, sale: Sold) => unknown }>;

const confirmedUnheard = (shop: Shop, { id }: Sold) =>
  rowsOf(shop, "update sandbox_charges set status = 'captured' where order_id = ?", id);

const worlds: readonly World[] = [
  { name: "that is paid", how: "0" },
  { name: "whose money nobody heard of yet", how: "2", prepared: confirmedUnheard },
  { name: "that the phone is still asked for", how: "2" },
  { name: "to be paid in cash", how: "cash" },
];

type Act = (ctx: OrderContext, paid: PaidOrder) => Promise<unknown>;

const refundOf = (amountMinor: number | null) => (ctx: OrderContext, paid: PaidOrder) =>
  refundOrder(ctx, paid, { amountMinor, reason: null, restock: true, requestKey: null });
const cancelBy = (by: "customer" | "business") => (ctx: OrderContext, paid: PaidOrder) =>
  cancelOrder(ctx, paid, { reason: null, by, requestKey: null });

const acts: Readonly<Record<string, Act>> = {
  "a refund of most": refundOf(1_500),
  "a refund of what is left": refundOf(null),
  "the shopper's cancel": cancelBy("customer"),
  "the merchant's cancel": cancelBy("business"),
  "the shopper's verify-payment": verifyPayment,
  "the provider's notice": (ctx, paid) => verifiedPayment(ctx, paid),
  "its expiry": (ctx, paid) => cancelUnpaidOrder(ctx, paid, "Nobody paid."),
  "mark-paid": (ctx, paid) => markPaid(ctx, paid, { method: "cash", reference: null }),
  "its completion": (ctx, paid) =>
    changeStatus(ctx, paid, { status: "completed", requestKey: null }),
};

const { MODEL_RACES: which }: Record<string, string | undefined> = import.meta.env;

/** Every two of them, an act beside itself included. */
const names = Object.keys(acts);
const pairs = names.flatMap((one, at) => names.slice(at).map((other) => [one, other]));

/** Each pair meets one of the worlds, MODEL_RACES=all every one; all acts together meet them all. */
const togetherIn = (world: World): readonly (readonly string[])[] => [
  ...pairs.filter((_, at) => which === "all" || worlds[at % worlds.length] === world),
  [...names, ...names],
];

/** From then on nothing is under way any more: what was claimed is sent, what was not heard is. */
async function settled(ctx: OrderContext, id: string): Promise<PaidOrder> {
  const orders = orderRepo(ctx);
  await verifiedPayment(ctx, await orders.get(id));
  for (const { id: refundId, status } of (await orders.get(id)).refunds)
    if (status === "pending")
      await settleRefund(ctx, await orders.get(id), { refundId, onRefusal: "try-again" });
  return orders.get(id);
}

async function told(shop: Shop, { payment, order }: PaidOrder): Promise<string[]> {
  const rows = await rowsOf(
    shop,
    "select type from events where business_id = ? and subject_id in (?, ?)",
    shop.business.id,
    payment.id,
    order.id,
  );
  return rows.map(({ type }) => String(type));
}

async function expectSound(shop: Shop, paid: PaidOrder): Promise<void> {
  const { order, payment, refunds } = paid;
  const back = refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const isPaid = payment.settledAt !== null;
  expect(order.paymentStatus).toBe(payment.status);
  expect(new Set(refunds.map(({ status }) => status))).toEqual(
    new Set(refunds.length > 0 ? ["refunded"] : []),
  );
  expect(back).toBeLessThanOrEqual(isPaid ? payment.amountMinor : 0);
  if (order.status === "cancelled") expect(back).toBe(isPaid ? payment.amountMinor : 0);
  await expectProviderAgrees(shop, paid, back);
  const events = await told(shop, paid);
  const count = (type: string) => events.filter((one) => one === type).length;
  expect(count("payment.completed")).toBe(isPaid ? 1 : 0);
  expect(count("payment.refunded")).toBe(refunds.length);
  expect(count("order.cancelled")).toBe(order.status === "cancelled" ? 1 : 0);
  expect(count("order.completed")).toBe(order.status === "completed" ? 1 : 0);
}

async function expectProviderAgrees(shop: Shop, { order, payment }: PaidOrder, back: number) {
  const query = "select status, refunded_minor from sandbox_charges where order_id = ?";
  const charges = await rowsOf(shop, query, order.id);
  if (payment.provider === "cash") return expect(charges).toEqual([]);
  const isTaken = charges.map(({ status }) => status === "captured" || status === "refunded");
  expect(isTaken).toEqual([payment.settledAt !== null]);
  expect(charges[0]?.refunded_minor).toBe(back);
}

/** Pieces are on the shelf, held for an order that goes on, or gone with one that is completed. */
async function expectPieces(shop: Shop, { order, refunds }: PaidOrder): Promise<void> {
  const isBack = refunds.some(({ isRestocked }) => isRestocked);
  const [reserved] = await rowsOf(
    shop,
    "select coalesce(sum(quantity), 0) as held from stock_reservations where order_id = ?",
    order.id,
  );
  const isOver = order.status === "completed" || order.status === "cancelled";
  expect(reserved?.held).toBe(isOver || isBack ? 0 : 2);
}

describe.each(worlds)("an order $name", (world) => {
  const { how, prepared } = world;
  it.each(togetherIn(world).map((those, at) => [those.join(" beside "), those, at] as const))(
    "loses no money, and takes none twice: %s",
    async (_, those, at) => {
      const shop = shops[at % shops.length];
      if (!shop) throw new Error("There is no shop.");
      const sale = await givenSale(shop, shop.product.id, { how });
      await prepared?.(shop, sale);
      const ctx = orderContextFor(shop);
      const paid = await orderRepo(ctx).get(sale.id);
      await Promise.allSettled(those.map((name) => acts[name]?.(orderContextFor(shop), paid)));
      const after = await settled(ctx, sale.id);
      await expectSound(shop, after);
      await expectPieces(shop, after);
    },
  );
});
