import { expect, it } from "vitest";
import { createAgentOrder, platformWebhookUrl, profileUrl } from "../support/create-agent-order.ts";
import { createProduct } from "../support/create-product.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";

it("stores the agent of an order once, and its platform as a receiver, when the checkout is run again", async () => {
  const shop = await createBusiness();
  const product = await createProduct(shop);
  const id = await createAgentOrder(shop, product.id, { runs: 2 });
  const { id: businessId } = shop.business;
  const stored =
    "select order_id, profile_url, webhook_url from agent_orders where business_id = ?";
  expect(await selectRows(shop, stored, businessId)).toEqual([
    { order_id: id, profile_url: profileUrl, webhook_url: platformWebhookUrl },
  ]);
  const receivers =
    "select url, platform_profile_url from webhook_subscriptions where business_id = ?";
  expect(await selectRows(shop, receivers, businessId)).toEqual([
    { url: platformWebhookUrl, platform_profile_url: profileUrl },
  ]);
});
