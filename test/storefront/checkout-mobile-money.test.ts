import { describe, expect, it } from "vitest";
import { listOutboxEventTypes, selectRows } from "../support/select-rows.ts";
import { dataOf, roundTrips, shopper } from "../support/world.ts";
import { cashCheckout, mobileMoneyCheckout, setUpBreadShop } from "./create-bread-shop.ts";

const { shop, product, ask, createCart, checkout, stock, ordersOf } = setUpBreadShop();

describe("POST /checkout with sandbox mobile money", () => {
  it("captures at once and confirms the order", async () => {
    const result = dataOf(
      await checkout(mobileMoneyCheckout(await createCart(ask), "024 123 4560")),
    );
    expect(result).toMatchObject({
      payment_status: "captured",
      provider: "sandbox",
      next_action: { type: "none" },
    });
    expect(await ask("GET", `/orders/${result.order_id}?token=${result.bill_token}`)).toMatchObject(
      {
        body: {
          data: {
            status: "confirmed",
            payment_status: "succeeded",
            status_history: [{ status: "pending" }, { status: "confirmed" }],
          },
        },
      },
    );
    expect(
      await ask("GET", `/orders/${result.order_id}/payment-status?token=${result.bill_token}`),
    ).toMatchObject({
      body: {
        data: {
          order_id: result.order_id,
          payment_status: "succeeded",
          payment_reference: result.payment_reference,
          amount: "50.00",
          currency: "GHS",
          settled_at: expect.stringMatching(/Z$/),
        },
      },
    });
    expect((await listOutboxEventTypes(shop())).sort()).toEqual([
      "order.created",
      "order.updated",
      "payment.completed",
    ]);
  });

  it("requests a one-time code and captures with the right one", async () => {
    const result = dataOf(await checkout(mobileMoneyCheckout(await createCart(ask), "0241234561")));
    expect(result).toMatchObject({
      payment_status: "requires_action",
      requires_authorization: true,
      authorization_type: "otp",
      next_action: {
        type: "authorization",
        authorization_type: "otp",
        display_text: expect.any(String),
      },
    });
    const authorize = (value: string, caller = ask) =>
      caller("POST", "/payments/authorization", {
        body: { payment_id: result.payment_id, authorization: { type: "otp", value } },
      });
    expect(await authorize("000000")).toMatchObject({
      status: 422,
      body: { error: { context: { rule: "AUTHORIZATION_FAILED", attempts_left: 2 } } },
    });
    expect(await authorize("123456", shopper(shop()))).toMatchObject({ status: 404 });
    const authorized = await authorize("123456");
    expect(authorized).toMatchObject({
      status: 200,
      body: {
        data: {
          order_id: result.order_id,
          payment_status: "captured",
          requires_authorization: false,
          next_action: { type: "none" },
        },
      },
    });
    expect(roundTrips(authorized).d1).toBeLessThanOrEqual(2);
    expect(await authorize("123456")).toMatchObject({
      body: { data: { payment_status: "captured" } },
    });
    expect(
      (await listOutboxEventTypes(shop())).filter((type) => type === "payment.completed"),
    ).toHaveLength(1);
  });

  it("fails the payment at the third wrong code", async () => {
    const result = dataOf(await checkout(mobileMoneyCheckout(await createCart(ask), "0241234561")));
    for (let tries = 0; tries < 3; tries += 1) {
      await ask("POST", "/payments/authorization", {
        body: { payment_id: result.payment_id, authorization: { type: "otp", value: "111111" } },
      });
    }
    expect(
      await ask("GET", `/orders/${result.order_id}/payment-status?token=${result.bill_token}`),
    ).toMatchObject({
      body: { data: { payment_status: "failed" } },
    });
  });

  it("stays failed after three wrong codes, also after verify-payment", async () => {
    const result = dataOf(await checkout(mobileMoneyCheckout(await createCart(ask), "0241234561")));
    const authorize = (value: string) =>
      ask("POST", "/payments/authorization", {
        body: { payment_id: result.payment_id, authorization: { type: "otp", value } },
      });
    for (const value of ["111111", "222222", "333333"]) await authorize(value);
    const verified = await ask(
      "POST",
      `/orders/${result.order_id}/verify-payment?token=${result.bill_token}`,
    );
    expect(verified).toMatchObject({ body: { data: { payment_status: "failed" } } });
    expect(await authorize("123456")).toMatchObject({
      body: { data: { payment_status: "failed" } },
    });
  });

  it("waits for the phone, and verify-payment captures it", async () => {
    const result = dataOf(await checkout(mobileMoneyCheckout(await createCart(ask), "0241234562")));
    expect(result).toMatchObject({ payment_status: "processing", next_action: { type: "await" } });
    const verify = () =>
      ask("POST", `/orders/${result.order_id}/verify-payment?token=${result.bill_token}`);
    expect(await verify()).toMatchObject({
      status: 200,
      body: { data: { payment_status: "succeeded" } },
    });
    expect(await verify()).toMatchObject({ body: { data: { payment_status: "succeeded" } } });
  });

  it("is not captured by the cancellation of the order", async () => {
    const result = dataOf(await checkout(mobileMoneyCheckout(await createCart(ask), "0241234562")));
    const cancelled = await ask(
      "POST",
      `/orders/${result.order_id}/cancel?token=${result.bill_token}`,
      { body: {} },
    );
    expect(dataOf(cancelled)).toMatchObject({ status: "cancelled", payment_status: "cancelled" });
  });

  it("keeps one pending order when the provider declines, and charges it again", async () => {
    const cartId = await createCart(ask);
    expect(await checkout(mobileMoneyCheckout(cartId, "0241234563"), "declined")).toMatchObject({
      status: 503,
      body: {
        error: {
          code: "SERVICE_UNAVAILABLE",
          message: expect.stringContaining("The sandbox declines this phone number or card."),
          retryable: true,
          context: { reason: "PAYMENT_DECLINED", order_id: expect.stringMatching(/^ord_/) },
        },
      },
    });
    expect(await checkout(mobileMoneyCheckout(cartId, "0241234563"), "declined")).toMatchObject({
      status: 503,
      body: { error: { context: { reason: "PAYMENT_DECLINED" } } },
    });
    expect(await ordersOf()).toMatchObject([{ status: "pending", payment_status: "failed" }]);
    expect(await stock()).toEqual({ quantity_on_hand: 10, quantity_reserved: 2 });
    expect(await ask("GET", "/cart")).toMatchObject({ body: { data: { id: cartId } } });
  });

  it("cancels the order of a failed payment when another checkout replaces it", async () => {
    const cartId = await createCart(ask);
    await checkout(mobileMoneyCheckout(cartId, "0241234563"), "declined-2");
    await ask("POST", "/cart/items", { body: { item_id: product().id } });
    expect(await checkout(cashCheckout(cartId), "instead")).toMatchObject({ status: 200 });
    expect((await ordersOf()).map(({ status }) => status).sort()).toEqual(["cancelled", "pending"]);
    expect(await stock()).toEqual({ quantity_on_hand: 10, quantity_reserved: 3 });
    expect(await checkout(mobileMoneyCheckout(cartId, "0241234563"), "declined-2")).toMatchObject({
      status: 409,
    });
  });

  it("lets only its own cart use the stock that an order with a failed payment holds", async () => {
    const cartId = await createCart(ask, 6);
    await checkout(mobileMoneyCheckout(cartId, "0241234563"), "declined-3");
    const [{ id }] = dataOf(await ask("GET", "/cart")).items;
    const change = (quantity: number) => ask("PATCH", `/cart/items/${id}`, { body: { quantity } });
    const short = (quantity_available: number) => ({
      ...{
        status: 422,
        body: { error: { context: { rule: "OUT_OF_STOCK", quantity_available } } },
      },
    });
    const more = { body: { item_id: product().id, quantity: 5 } };
    expect(await shopper(shop())("POST", "/cart/items", more)).toMatchObject(short(4));
    expect(await change(11)).toMatchObject(short(10));
    for (const quantity of [5, 10]) expect(await change(quantity)).toMatchObject({ status: 200 });
    expect(await checkout(cashCheckout(cartId), "instead-3")).toMatchObject({ status: 200 });
    expect(await stock()).toEqual({ quantity_on_hand: 10, quantity_reserved: 10 });
  });

  it("charges the same order once with the same key when the provider did not answer", async () => {
    const cartId = await createCart(ask);
    expect(await checkout(mobileMoneyCheckout(cartId, "0241234564"), "lost")).toMatchObject({
      status: 503,
      body: { error: { context: { reason: "PROVIDER_UNAVAILABLE" } } },
    });
    expect(await checkout(mobileMoneyCheckout(cartId, "0241234565"), "lost")).toMatchObject({
      status: 409,
    });
    const answer = await checkout(mobileMoneyCheckout(cartId, "0241234564"), "lost");
    expect(answer).toMatchObject({
      status: 200,
      body: { data: { payment_status: "captured", order_number: "ORD-1001" } },
    });
    expect(await ordersOf()).toHaveLength(1);
    expect(
      await selectRows(
        shop(),
        "select status from sandbox_charges where order_id = ?",
        dataOf(answer).order_id,
      ),
    ).toEqual([{ status: "captured" }]);
  });
});
