import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { withoutLimits } from "../http/foreign-world.ts";
import { dataOf, givenSale } from "../support/orders.ts";
import { givenBusiness, merchant, shopper } from "../support/world.ts";

type Meta = Readonly<{ rows_read: number; rows_written: number; size_after: number }>;
type Sent = Readonly<{ meta: Meta }> | readonly Readonly<{ meta: Meta }>[];
type Session = { _sendOrThrow: (...asked: unknown[]) => Promise<Sent> };

afterEach(() => {
  vi.restoreAllMocks();
});

/** What D1 says that it read and wrote meanwhile, as it is paid for: rows of tables and of indexes. */
async function paidFor(work: () => Promise<unknown>): Promise<Meta> {
  const sums = { rows_read: 0, rows_written: 0, size_after: 0 };
  // Safe: where every statement of the runtime's own client passes; a runtime without it fails the test.
  const session: Session = Object.getPrototypeOf(Object(env.SHOP_1).alwaysPrimarySession);
  const send = session._sendOrThrow;
  const spy = vi.spyOn(session, "_sendOrThrow").mockImplementation(async function (
    this: Session,
    ...asked: unknown[]
  ) {
    const sent = await send.apply(this, asked);
    for (const { meta } of [sent].flat()) {
      sums.rows_read += meta.rows_read;
      sums.rows_written += meta.rows_written;
      sums.size_after = Math.max(sums.size_after, meta.size_after);
    }
    return sent;
  });
  await work();
  spy.mockRestore();
  return sums;
}

describe("an order of one line, paid by phone (docs/scale.md counts with it)", () => {
  it("is placed and paid with no more rows than that", async () => {
    const shop = await givenBusiness();
    await withoutLimits(shop);
    const product = dataOf(
      await merchant(shop)("POST", "/products", {
        body: { name: "Tea", default_price: "10", inventory_type: "tracked" },
      }),
    );
    await merchant(shop)(
      "PUT",
      `/inventory/${product.id}/locations/${shop.business.locations[0]?.id}`,
      { body: { quantity_on_hand: 100 } },
    );
    const ask = shopper(shop);
    await givenSale(shop, product.id); // what is read once stays in memory
    const paid = await paidFor(() => givenSale(shop, product.id, { ask }));
    expect(paid.rows_written).toBeLessThanOrEqual(56);
    expect(paid.rows_read).toBeLessThanOrEqual(60);
    const more = 20;
    let size = 0;
    for (let sale = 0; sale < more; sale += 1)
      size = (await paidFor(() => givenSale(shop, product.id, { ask }))).size_after;
    expect((size - paid.size_after) / more).toBeLessThan(12_000);
  });
});
