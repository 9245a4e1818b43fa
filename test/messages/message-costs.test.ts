import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { shardsOf, shopOf } from "../../shared/database/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { measureD1Usage } from "../support/d1-usage.ts";
import { measureStoredBytes } from "../support/stored-bytes.ts";
import { createBusiness } from "../support/world.ts";
import {
  listMessageRows,
  queueMessagesOf,
  sendMessagesOf,
  stubMessageProviders,
} from "./create-messages.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("is stored in 900 bytes, sent with 8 written rows and deleted with 1 (docs/scale.md)", async () => {
  const { emails, texts } = stubMessageProviders();
  const shop = await createBusiness();
  const { id } = await createProduct(shop);
  const customer = { name: "Ama", email: "ama@example.com", phone: "0241234567" };
  await createOrder(shop, id, { fields: { customer } });
  await queueMessagesOf(shop);
  const sent = await measureD1Usage(() => sendMessagesOf(shop));
  const { length } = await listMessageRows(shop);
  expect([...emails, ...texts]).toHaveLength(length);
  const shard = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const sizes = await measureStoredBytes(shard, { business_id: shop.business.id });
  const bytes = (sizes.get("messages") ?? 0) / length;
  expect(bytes).toBeGreaterThan(600); // otherwise the test misses columns
  expect(bytes).toBeLessThanOrEqual(900);
  expect(sent.rowsWritten / length).toBeLessThanOrEqual(8);
  const deleted = await shard
    .prepare("delete from messages where business_id = ?")
    .bind(shop.business.id)
    .run();
  expect(deleted.meta.rows_written / length).toBeLessThanOrEqual(1);
});
