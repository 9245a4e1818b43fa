import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createOrder, type PlacedOrder, readRefundedMinor } from "../support/create-order.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import { selectRows } from "../support/select-rows.ts";
import type { merchant } from "../support/world.ts";
import { dataOf } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, merchant: ask } = await createShopWithStock());
});

const setStatus = ({ id }: Pick<PlacedOrder, "id">, status: string, headers = {}) =>
  ask("POST", `/orders/${id}/status`, { body: { status }, headers });

describe("an Idempotency-Key", () => {
  const key = { "Idempotency-Key": "order-77" };
  const deleteStoredResponses = () =>
    selectRows(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);

  it("is separate for each route of the order", async () => {
    const order = await createOrder(shop, product.id);
    expect((await setStatus(order, "preparing", key)).status).toBe(200);
    expect(await refund(order, { amount: "10.00" })).toMatchObject({ status: 201 });
    expect(
      dataOf(await ask("POST", `/orders/${order.id}/cancel`, { body: {}, headers: key })),
    ).toMatchObject({ status: "cancelled", payment_status: "refunded" });
    expect(await readRefundedMinor(shop, order)).toBe(5_000);
  });

  it("responds 409 to another body, also if the first response was not stored", async () => {
    const order = await createOrder(shop, product.id);
    const conflict = { status: 409, body: { error: { code: "CONFLICT", retryable: false } } };
    expect((await setStatus(order, "preparing", key)).status).toBe(200);
    expect((await refund(order, { amount: "10.00" })).status).toBe(201);
    await deleteStoredResponses();
    expect(await setStatus(order, "ready", key)).toMatchObject(conflict);
    expect(await refund(order, { amount: "11.00" })).toMatchObject(conflict);
    expect(await readRefundedMinor(shop, order)).toBe(1_000);
  });

  it("may be used again after 24 hours", async () => {
    vi.setSystemTime(Date.parse("2030-01-01T00:00:00Z"));
    const order = await createOrder(shop, product.id);
    await refund(order, { amount: "10.00" });
    vi.setSystemTime(Date.parse("2030-01-01T23:59:59Z"));
    await deleteStoredResponses();
    await refund(order, { amount: "10.00" });
    expect(await readRefundedMinor(shop, order)).toBe(1_000);
    vi.setSystemTime(Date.parse("2030-01-02T00:00:00Z"));
    await deleteStoredResponses();
    const answer = await refund(order, { amount: "10.00" });
    expect(answer.status).toBe(201);
    expect(await readRefundedMinor(shop, order)).toBe(2_000);
    await deleteStoredResponses();
    expect((await refund(order, { amount: "10.00" })).body).toEqual(answer.body);
    expect(await readRefundedMinor(shop, order)).toBe(2_000);
  });

  const refund = ({ id }: PlacedOrder, body: object) =>
    ask("POST", `/orders/${id}/refunds`, { body, headers: key });
});
