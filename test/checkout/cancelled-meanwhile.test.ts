import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { giveUpCheckout, resultOf, runCheckout } from "../../shared/checkout/index.ts";
import { cancelOrder, changeStatus, orderRepo, settleRefund } from "../../shared/orders/index.ts";
import type { ChargeResult, PaymentProvider } from "../../shared/payments/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import { checkoutContextFor, givenCart, givenItem, givenPlan } from "./given.ts";
import { captured, declined, forgetRefunds, ran } from "./scripted-sale.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

afterEach(() => forgetRefunds(shop));

type Sale = Awaited<ReturnType<typeof ran>>;

const cancel = async ({ ctx, paid }: Sale) =>
  cancelOrder(ctx, await paid(), { reason: null, by: "business", requestKey: null });

/** A further try of the checkout, whose charge comes with what happens around it. */
const triedAgain = (
  { checkout, provider }: Sale,
  around: (charge: () => Promise<ChargeResult>) => Promise<ChargeResult>,
) => {
  const charge: PaymentProvider["charge"] = (request) => around(() => provider.charge(request));
  const ctx = checkoutContextFor(shop, { provider: { ...provider, charge } });
  return runCheckout(ctx, checkout, () => {});
};

/** From then on nothing is under way: the job has heard of every charge, and sent every refund. */
async function settled(sale: Sale) {
  for (const reference of sale.charged) await sale.hear(reference);
  for (const { id: refundId, status } of (await sale.paid()).refunds)
    if (status === "pending")
      await settleRefund(sale.ctx, await sale.paid(), { refundId, onRefusal: "try-again" });
  return sale.paid();
}

/** The order is over, and of the money that was taken all went back, once. */
async function expectAllBack(sale: Sale): Promise<void> {
  const { order, payment, refunds } = await settled(sale);
  expect(order.status).toBe("cancelled");
  const taken = [...sale.stands.values()].filter(({ type }) => type === "captured").length;
  expect(sale.refunded.map(({ amountMinor }) => amountMinor)).toEqual(Array(taken).fill(1_000));
  expect(refunds.map(({ status }) => status)).toEqual(Array(taken).fill("refunded"));
  expect(payment.status).toBe(taken === 0 ? "cancelled" : "refunded");
}

describe("a second charge beside a cancel of its order", () => {
  it("is not asked for once the order is cancelled", async () => {
    const sale = await ran(shop, declined);
    await cancel(sale);
    await expect(sale.retry()).rejects.toMatchObject({ code: "CONFLICT", retryable: false });
    expect(sale.charged).toHaveLength(1);
    await expectAllBack(sale);
  });

  it.each<[string, (sale: Sale, charge: () => Promise<ChargeResult>) => Promise<ChargeResult>]>([
    [
      "comes before the charge that was prepared",
      async (sale, charge) => {
        await cancel(sale);
        return charge();
      },
    ],
    [
      "comes when the money is taken, and before that is heard",
      async (sale, charge) => {
        const result = await charge();
        await cancel(sale);
        return result;
      },
    ],
    [
      "comes when the money is taken, and that is never heard",
      async (sale, charge) => {
        await charge();
        await cancel(sale);
        return { type: "no_answer" };
      },
    ],
    [
      "comes at the same moment",
      async (sale, charge) => {
        const [result] = await Promise.all([charge(), cancel(sale)]);
        return result;
      },
    ],
    [
      "comes before the charge, whose answer is lost",
      async (sale, charge) => {
        await cancel(sale);
        await charge();
        return { type: "no_answer" };
      },
    ],
  ])("goes back whole, once: the cancel %s", async (_, around) => {
    const sale = await ran(shop, declined, captured);
    await triedAgain(sale, (charge) => around(sale, charge));
    expect(sale.charged).toHaveLength(2);
    await expectAllBack(sale);
  });

  it("goes back whole, once, whichever of the two comes first", async () => {
    const sale = await ran(shop, declined, captured);
    await Promise.allSettled([sale.retry(), cancel(sale)]);
    await cancel(sale).catch(() => {}); // where the charge came first, and asked it to try again
    await expectAllBack(sale);
  });
});

describe("a checkout in cash that died, in the place of which another would come", () => {
  async function placed() {
    const ctx = checkoutContextFor(shop);
    const cart = await givenCart(ctx, givenItem((await givenProduct(shop)).id));
    const checkout = await givenPlan(ctx, cart, { paymentMethod: "cash", mobileMoney: null });
    await runCheckout(ctx, checkout, () => {}); // and nothing of it was stored
    return { ctx, checkout, order: () => orderRepo(ctx).get(checkout.plan.orderId) };
  }

  it("gives way while nobody has taken its order up", async () => {
    const { ctx, checkout, order } = await placed();
    expect(await giveUpCheckout(ctx, checkout)).toBe("given_up");
    expect((await order()).order.status).toBe("cancelled");
  });

  it("is the sale once the business has taken its order up", async () => {
    const { ctx, checkout, order } = await placed();
    await changeStatus(ctx, await order(), { status: "confirmed", requestKey: null });
    expect(await giveUpCheckout(ctx, checkout)).toBe("stands");
    const finished = await runCheckout(ctx, checkout, () => {});
    expect(resultOf(ctx, finished)).toMatchObject({ provider: "cash", paymentStatus: "pending" });
    expect((await order()).order.status).toBe("confirmed");
    const orders = "select 1 from orders where business_id = ?";
    expect(await rowsOf(shop, orders, shop.business.id)).toHaveLength(1);
  });
});
