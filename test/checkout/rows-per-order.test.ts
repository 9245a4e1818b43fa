import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createMeter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { hour } from "../../shared/kernel/index.ts";
import { clearAddressDigests } from "../../shared/orders/index.ts";
import { raiseRateLimits } from "../http/prepare-business.ts";
import { createOrder } from "../support/create-order.ts";
import { measureD1Usage } from "../support/d1-usage.ts";
import { measureStoredBytes } from "../support/stored-bytes.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

let shop: CreatedBusiness;
let product: { id: string };
let ask: ReturnType<typeof shopper>;

beforeEach(async () => {
  shop = await createBusiness();
  await raiseRateLimits(shop);
  const path = "/products";
  const body = { name: "Tea", default_price: "10", inventory_type: "tracked" };
  product = dataOf(await merchant(shop)("POST", path, { body }));
  const place = `/inventory/${product.id}/locations/${shop.business.locations[0]?.id}`;
  await merchant(shop)("PUT", place, { body: { quantity_on_hand: 100 } });
  ask = shopper(shop);
  await createOrder(shop, product.id); // fills the caches
});

const bytesOf = ({ business }: CreatedBusiness, orderId: string) =>
  measureStoredBytes(shopOf(shardsOf(env, env.SHOP_SHARDS), business), {
    business_id: business.id,
    order_id: orderId,
  });

/** Clears the digests of addresses, as a job does an hour after the order. */
const forgetAddresses = async () => {
  await clearAddressDigests(
    openDb(shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business), createMeter()),
    Date.now() + 2 * hour,
  );
};

describe("an order of one line, paid by phone (docs/scale.md uses these figures)", () => {
  it("writes at most 62 rows and reads at most 68", async () => {
    const paid = await measureD1Usage(() => createOrder(shop, product.id, { ask }));
    expect(paid.rowsWritten).toBeLessThanOrEqual(62);
    expect(paid.rowsRead).toBeLessThanOrEqual(68);
  });

  it("writes one row more when its address is forgotten", async () => {
    await forgetAddresses();
    await createOrder(shop, product.id, { ask });
    const cleared = await measureD1Usage(forgetAddresses);
    expect(cleared.rowsWritten).toBe(1);
    expect(cleared.rowsRead).toBeLessThanOrEqual(8);
  });

  it("is stored in at most 5,100 bytes", async () => {
    await forgetAddresses();
    const before = await bytesOf(shop, "");
    const { id } = await createOrder(shop, product.id, { ask });
    await forgetAddresses();
    const after = await bytesOf(shop, id);
    const grown = [...after].map(([table, bytes]) => ({
      table,
      bytes: bytes - (before.get(table) ?? 0),
    }));
    const bytes = grown.reduce((total, one) => total + one.bytes, 0);
    const summary = grown.filter((one) => one.bytes > 0).map((one) => `${one.table} ${one.bytes}`);
    expect(bytes, summary.join(", ")).toBeLessThanOrEqual(5_100);
    expect(bytes).toBeGreaterThan(4_000); // otherwise the test misses tables
  });
});
