import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { EarlierStands, giveUpCheckout, runCheckout } from "../../shared/checkout/index.ts";
import { cancelOrder } from "../../shared/orders/index.ts";
import { givenProduct } from "../support/catalogue.ts";
import { eventsOf, rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import { givenBegun, givenCart, givenItem } from "./given.ts";
import { captured, declined, forgetRefunds, ran, waiting } from "./scripted-sale.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

afterEach(() => forgetRefunds(shop));

type Sale = Awaited<ReturnType<typeof ran>>;

/** A checkout that is to take the place of another's order. */
async function replacing({ ctx, checkout }: Sale) {
  const product = await givenProduct(shop, { defaultPriceMinor: captured.amountMinor });
  const cart = await givenCart(ctx, givenItem(product.id), checkout.request.cartId);
  return givenBegun(ctx, cart, { replaces: [checkout.plan.orderId] });
}

const statuses = async () =>
  (
    await rowsOf(
      shop,
      "select status from orders where business_id = ? order by created_at, status",
      shop.business.id,
    )
  )
    .map(({ status }) => status)
    .sort();

const conflict = { code: "CONFLICT", retryable: true };

describe("an order that changes between the plan and the batch that was to end it", () => {
  it("is left alone when its money comes then: it is the sale, and nothing is placed", async () => {
    const sale = await ran(shop, declined);
    const { checkout, read } = await replacing(sale);
    sale.stands.set(sale.checkout.reference, captured);
    await sale.hear(sale.checkout.reference);
    await expect(runCheckout(sale.ctx, checkout, () => {}, read)).rejects.toMatchObject(conflict);
    expect(await statuses()).toEqual(["confirmed"]);
    const goneOn = runCheckout(sale.ctx, checkout, () => {});
    await expect(goneOn).rejects.toMatchObject({ orderId: sale.checkout.plan.orderId });
    await expect(goneOn).rejects.toBeInstanceOf(EarlierStands);
    expect(await statuses()).toEqual(["confirmed"]);
    expect(sale.charged).toHaveLength(1);
  });

  it("gives its place all the same when it was cancelled then", async () => {
    const sale = await ran(shop, declined, captured);
    const { checkout, read } = await replacing(sale);
    const cancellation = { reason: null, by: "business", requestKey: null } as const;
    await cancelOrder(sale.ctx, await sale.paid(), cancellation);
    await expect(runCheckout(sale.ctx, checkout, () => {}, read)).rejects.toMatchObject(conflict);
    expect(await statuses()).toEqual(["cancelled"]);
    await runCheckout(sale.ctx, checkout, () => {});
    expect(await statuses()).toEqual(["cancelled", "confirmed"]);
  });
});

describe("an order in whose place another comes", () => {
  it("is asked for at the provider first, and stays while that does not say", async () => {
    const sale = await ran(shop, declined);
    sale.stands.set(sale.checkout.reference, { type: "no_answer" });
    await expect(replacing(sale)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await statuses()).toEqual(["pending"]);
  });

  it("is the sale where its money has come by then", async () => {
    const sale = await ran(shop, declined);
    sale.stands.set(sale.checkout.reference, captured);
    await expect(replacing(sale)).rejects.toBeInstanceOf(EarlierStands);
    expect(await statuses()).toEqual(["confirmed"]);
  });

  it("has its money back that comes after its end", async () => {
    const sale = await ran(shop, declined, captured);
    const { checkout, read } = await replacing(sale);
    await runCheckout(sale.ctx, checkout, () => {}, read);
    sale.stands.set(sale.checkout.reference, captured);
    await sale.hear(sale.checkout.reference);
    expect(await sale.paid()).toMatchObject({
      order: { status: "cancelled" },
      refunds: [{ amountMinor: captured.amountMinor, status: "pending" }],
    });
  });

  it("is told of as failed and as cancelled where the first was not known yet", async () => {
    const sale = await ran(shop, { type: "no_answer" }, captured);
    sale.stands.set(sale.checkout.reference, declined);
    const { checkout, read } = await replacing(sale);
    await runCheckout(sale.ctx, checkout, () => {}, read);
    expect((await eventsOf(shop)).sort()).toEqual([
      "order.cancelled",
      "order.created",
      "order.created",
      "order.updated",
      "payment.completed",
      "payment.failed",
    ]);
  });

  it("ends also while its customer could still confirm it", async () => {
    const sale = await ran(shop, { type: "no_answer" }, captured);
    sale.stands.set(sale.checkout.reference, waiting);
    const { checkout, read } = await replacing(sale);
    await runCheckout(sale.ctx, checkout, () => {}, read);
    expect(await statuses()).toEqual(["cancelled", "confirmed"]);
  });

  it("ends with the checkout that was to take its place, where that died before", async () => {
    const sale = await ran(shop, declined);
    const { checkout } = await replacing(sale);
    expect(await giveUpCheckout(sale.ctx, checkout)).toBe("given_up");
    expect(await statuses()).toEqual(["cancelled"]);
  });
});

it("a checkout that goes on places its order once, and ends the other once", async () => {
  const sale = await ran(shop, declined, captured);
  const { checkout, read } = await replacing(sale);
  await runCheckout(sale.ctx, checkout, () => {}, read);
  await runCheckout(sale.ctx, checkout, () => {}, read); // its batch meets its own order first
  await runCheckout(sale.ctx, checkout, () => {});
  expect(await statuses()).toEqual(["cancelled", "confirmed"]);
  expect(sale.charged).toHaveLength(2);
});
