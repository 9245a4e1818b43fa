import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { dataOf, givenBack, givenSale, type Sold } from "../support/orders.ts";
import { rowsOf } from "../support/shop-database.ts";
import type { merchant } from "../support/world.ts";
import { givenShopWithStock } from "./given-orders.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, ask } = await givenShopWithStock());
});

const move = ({ id }: Pick<Sold, "id">, status: string, headers = {}) =>
  ask("POST", `/orders/${id}/status`, { body: { status }, headers });

describe("an Idempotency-Key", () => {
  const key = { "Idempotency-Key": "order-77" };
  const forget = () =>
    rowsOf(shop, "delete from idempotency_keys where business_id = ?", shop.business.id);

  it("used at another route of the order is another key", async () => {
    const sale = await givenSale(shop, product.id);
    expect((await move(sale, "preparing", key)).status).toBe(200);
    expect(await refund(sale, { amount: "10.00" })).toMatchObject({ status: 201 });
    expect(
      dataOf(await ask("POST", `/orders/${sale.id}/cancel`, { body: {}, headers: key })),
    ).toMatchObject({ status: "cancelled", payment_status: "refunded" });
    expect(await givenBack(shop, sale)).toBe(5_000);
  });

  it("with another body is 409, also when the first answer was never kept", async () => {
    const sale = await givenSale(shop, product.id);
    const conflict = { status: 409, body: { error: { code: "CONFLICT", retryable: false } } };
    expect((await move(sale, "preparing", key)).status).toBe(200);
    expect((await refund(sale, { amount: "10.00" })).status).toBe(201);
    await forget();
    expect(await move(sale, "ready", key)).toMatchObject(conflict);
    expect(await refund(sale, { amount: "11.00" })).toMatchObject(conflict);
    expect(await givenBack(shop, sale)).toBe(1_000);
  });

  it("is free again after 24 hours", async () => {
    vi.setSystemTime(Date.parse("2030-01-01T00:00:00Z"));
    const sale = await givenSale(shop, product.id);
    await refund(sale, { amount: "10.00" });
    vi.setSystemTime(Date.parse("2030-01-01T23:59:59Z"));
    await forget();
    await refund(sale, { amount: "10.00" });
    expect(await givenBack(shop, sale)).toBe(1_000);
    vi.setSystemTime(Date.parse("2030-01-02T00:00:00Z"));
    await forget();
    const answer = await refund(sale, { amount: "10.00" });
    expect(answer.status).toBe(201);
    expect(await givenBack(shop, sale)).toBe(2_000);
    await forget();
    expect((await refund(sale, { amount: "10.00" })).body).toEqual(answer.body);
    expect(await givenBack(shop, sale)).toBe(2_000);
  });

  const refund = ({ id }: Sold, body: object) =>
    ask("POST", `/orders/${id}/refunds`, { body, headers: key });
});
