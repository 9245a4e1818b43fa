import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import { withoutLimits } from "../http/open-shop.ts";
import { dataOf, givenSale } from "../support/orders.ts";
import { paidFor } from "../support/rows-read.ts";
import { storedBytes } from "../support/stored-bytes.ts";
import { givenBusiness, merchant, shopper } from "../support/world.ts";

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
    expect(paid.rowsWritten).toBeLessThanOrEqual(56);
    expect(paid.rowsRead).toBeLessThanOrEqual(60);
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
