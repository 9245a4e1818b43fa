import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { EarlierStands, giveUpCheckout, runCheckout } from "../../shared/checkout/index.ts";
import { cancelOrder, settleRefund } from "../../shared/orders/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant, shopper } from "../support/world.ts";
import { givenBegun, givenCart, givenItem, givenPlan, nothingRead } from "./given.ts";
import { captured, declined, forgetRefunds, ran } from "./scripted-sale.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

afterEach(() => forgetRefunds(shop));

type Sale = Awaited<ReturnType<typeof ran>>;

const orders = () =>
  rowsOf(
    shop,
    "select id, status, payment_status from orders where business_id = ? order by cart_turn",
    shop.business.id,
  );

const cancelled = async ({ ctx, paid }: Sale) => {
  await cancelOrder(ctx, await paid(), { reason: null, by: "business", requestKey: null });
};

/** Another checkout of the sale's cart, which knows nothing of that sale. */
async function another({ ctx, checkout }: Sale) {
  const { id } = await givenProduct(shop, { defaultPriceMinor: captured.amountMinor });
  const cart = await givenCart(ctx, givenItem(id), checkout.request.cartId);
  return runCheckout(ctx, await givenPlan(ctx, cart), () => {}, nothingRead);
}

describe("a cart whose order was cancelled", () => {
  it("is sold again without waiting for what the provider says of that order", async () => {
    const sale = await ran(shop, declined);
    await cancelled(sale);
    sale.stands.set(sale.checkout.reference, { type: "no_answer" });
    await another(sale);
    expect(await orders()).toMatchObject([{ status: "cancelled" }, { status: "confirmed" }]);
  });

  it("is sold again while that order's money is on its way back, and when it is back", async () => {
    const sale = await ran(shop, captured);
    await cancelled(sale);
    const { refunds } = await sale.paid();
    expect(refunds).toMatchObject([{ amountMinor: captured.amountMinor }]);
    await another(sale);
    expect(await orders()).toMatchObject([
      { status: "cancelled", payment_status: "refunded" },
      { status: "confirmed", payment_status: "captured" },
    ]);
    expect(sale.refunded).toHaveLength(1);
  });

  it("has that order's money back that comes behind its end, and is sold again", async () => {
    const sale = await ran(shop, declined);
    await cancelled(sale);
    sale.stands.set(sale.checkout.reference, captured);
    await sale.hear(sale.checkout.reference);
    await another(sale);
    const { refunds } = await sale.paid();
    expect(refunds).toMatchObject([{ amountMinor: captured.amountMinor, status: "pending" }]);
    await settleRefund(sale.ctx, await sale.paid(), {
      refundId: refunds[0]?.id ?? "",
      onRefusal: "try-again",
    });
    expect(await orders()).toMatchObject([
      { status: "cancelled", payment_status: "refunded" },
      { status: "confirmed", payment_status: "captured" },
    ]);
  });

  it("has that order's money back that nobody heard of until the checkout that names it", async () => {
    const sale = await ran(shop, declined, captured);
    await cancelled(sale);
    sale.stands.set(sale.checkout.reference, captured);
    const { id } = await givenProduct(shop, { defaultPriceMinor: captured.amountMinor });
    const cart = await givenCart(sale.ctx, givenItem(id), sale.checkout.request.cartId);
    const replaces = [sale.checkout.plan.orderId];
    const { checkout, read } = await givenBegun(sale.ctx, cart, { replaces });
    await runCheckout(sale.ctx, checkout, () => {}, read);
    expect(await sale.paid()).toMatchObject({
      order: { status: "cancelled" },
      refunds: [{ amountMinor: captured.amountMinor, status: "pending" }],
    });
    expect(await orders()).toMatchObject([{ status: "cancelled" }, { status: "confirmed" }]);
  });

  it("has a checkout that is given up: nothing of it stands", async () => {
    const sale = await ran(shop, captured);
    await cancelled(sale);
    expect(await giveUpCheckout(sale.ctx, sale.checkout)).toBe("given_up");
  });
});

describe("a checkout that is given up, while an order of its cart stands that it knows nothing of", () => {
  /** Planned, and never placed. */
  const neverPlaced = async ({ ctx, checkout }: Sale) => {
    const { id } = await givenProduct(shop);
    return givenPlan(ctx, await givenCart(ctx, givenItem(id), checkout.request.cartId));
  };

  it("ends that order", async () => {
    const sale = await ran(shop, declined);
    expect(await giveUpCheckout(sale.ctx, await neverPlaced(sale))).toBe("given_up");
    expect(await orders()).toMatchObject([{ status: "cancelled" }]);
  });

  it("stands where that is paid, and is gone on with to that sale", async () => {
    const sale = await ran(shop, captured);
    const checkout = await neverPlaced(sale);
    expect(await giveUpCheckout(sale.ctx, checkout)).toBe("stands");
    const goneOn = runCheckout(sale.ctx, checkout, () => {});
    await expect(goneOn).rejects.toBeInstanceOf(EarlierStands);
    expect(await orders()).toMatchObject([{ status: "confirmed" }]);
  });
});

describe("a shopper whose declined charge was confirmed, and whose order was cancelled then", () => {
  it("checks the same cart out under a new key, and pays once", async () => {
    const { id: item_id } = await givenProduct(shop);
    const ask = shopper(shop);
    const added = await ask("POST", "/cart/items", { body: { item_id } });
    const pay = (lastDigit: number) =>
      ask("POST", "/checkout", {
        body: {
          cart_id: Object(added.body).data.id,
          customer: { phone: "0241234567" },
          payment_method: "mobile_money",
          mobile_money_details: { phone_number: `024123456${lastDigit}`, provider: "mtn" },
        },
      });
    expect((await pay(3)).status).toBe(503);
    const [order] = await orders();
    await rowsOf(
      shop,
      "update sandbox_charges set status = 'captured' where order_id = ? returning 1",
      order?.id,
    );
    await merchant(shop)("POST", `/orders/${order?.id}/cancel`, { body: {} });
    expect(await orders()).toMatchObject([{ status: "cancelled", payment_status: "refunded" }]);
    expect((await pay(0)).status).toBe(200);
    expect(await orders()).toMatchObject([
      { status: "cancelled", payment_status: "refunded" },
      { status: "confirmed", payment_status: "captured" },
    ]);
  });
});
