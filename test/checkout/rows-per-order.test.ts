import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import { withoutLimits } from "../http/foreign-world.ts";
import { dataOf, givenSale } from "../support/orders.ts";
import { storedBytes } from "../support/stored-bytes.ts";
import { givenBusiness, merchant, shopper } from "../support/world.ts";

type Meta = Readonly<{ rows_read: number; rows_written: number }>;
type Sent = Readonly<{ meta: Meta }> | readonly Readonly<{ meta: Meta }>[];
type Session = { _sendOrThrow: (...asked: unknown[]) => Promise<Sent> };

afterEach(() => {
  vi.restoreAllMocks();
});

/** What D1 says that it read and wrote meanwhile, as it is paid for: rows of tables and of indexes. */
async function paidFor(work: () => Promise<unknown>): Promise<Meta> {
  const sums = { rows_read: 0, rows_written: 0 };
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
    }
    return sent;
  });
  await work();
  spy.mockRestore();
  return sums;
}

let shop: CreatedBusiness;
let product: { id: string };
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await givenBusiness();
  await withoutLimits(shop);
  const path = "/products";
  const body = { name: "Tea", default_price: "10", inventory_type: "tracked" };
  product = dataOf(await merchant(shop)("POST", path, { body }));
  const place = `/inventory/${product.id}/locations/${shop.business.locations[0]?.id}`;
  await merchant(shop)("PUT", place, { body: { quantity_on_hand: 100 } });
  ask = shopper(shop);
  await givenSale(shop, product.id); // what is read once stays in memory
});

const bytesOf = ({ business }: CreatedBusiness, orderId: string) =>
  storedBytes(shopOf(shardsOf(env, env.SHOP_SHARDS), business), {
    business_id: business.id,
    order_id: orderId,
  });

describe("an order of one line, paid by phone (docs/scale.md counts with it)", () => {
  it("is placed and paid with no more rows than that", async () => {
    const paid = await paidFor(() => givenSale(shop, product.id, { ask }));
    expect(paid.rows_written).toBeLessThanOrEqual(56);
    expect(paid.rows_read).toBeLessThanOrEqual(60);
  });

  it("is stored in no more bytes than that", async () => {
    const before = await bytesOf(shop, "");
    const { id } = await givenSale(shop, product.id, { ask });
    const after = await bytesOf(shop, id);
    const grown = [...after].map(([table, bytes]) => ({
      table,
      bytes: bytes - (before.get(table) ?? 0),
    }));
    const bytes = grown.reduce((total, one) => total + one.bytes, 0);
    const told = grown.filter((one) => one.bytes > 0).map((one) => `${one.table} ${one.bytes}`);
    expect(bytes, told.join(", ")).toBeLessThanOrEqual(4_500);
    expect(bytes).toBeGreaterThan(4_000); // else this test sees less than there is
  });
});
