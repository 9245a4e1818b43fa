import { beforeEach, describe, expect, test } from "vitest";
import { listAgentTools } from "../../functions/agents/agent-tools/agent-tool.ts";
import { agentToolNames } from "../../functions/agents/operations/agent-operations.ts";
import { releases } from "../../shared/agents/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import { callAgentTool, contentOf, metaOf } from "./agent-tool-client.ts";
import { createPlatform, hostProfiles, type TestPlatform } from "./platform.ts";
import { assertValid } from "./validator.ts";

hostProfiles();

let shop: CreatedBusiness;
let product: Product;
let platform: TestPlatform;

beforeEach(async () => {
  ({ shop, product } = await createShopWithStock());
  platform = await createPlatform();
});

const cartInput = (quantity = 1, key?: string) => ({
  meta: metaOf(platform, key),
  cart: { line_items: [{ item: { id: product.id }, quantity }] },
});

test("every tool of the protocol is served", () => {
  expect(
    listAgentTools()
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...agentToolNames].sort());
});

test.each(releases)("carts and checkouts answer as the schemas of %s say", async (release) => {
  platform = await createPlatform({ release });
  const created = contentOf(await callAgentTool(shop, "create_cart", cartInput()));
  await assertValid(release, "cart", created);
  const read = { meta: metaOf(platform), id: created.id };
  expect(contentOf(await callAgentTool(shop, "get_cart", read))).toMatchObject({ id: created.id });
  const checkout = contentOf(
    await callAgentTool(shop, "create_checkout", {
      meta: metaOf(platform),
      checkout: { cart_id: created.id, line_items: [] },
    }),
  );
  await assertValid(release, "checkout", checkout);
  expect(checkout.status).toBe("incomplete");
});

test.each([
  ["get_cart", "agc_unknown"],
  ["get_checkout", "chk_unknown"],
])("%s of a record that does not exist is an outcome", async (name, id) => {
  const answer = contentOf(await callAgentTool(shop, name, { meta: metaOf(platform), id }));
  expect(answer).toMatchObject({ ucp: { status: "error" }, messages: [{ code: "not_found" }] });
});

test.each([[undefined], [1], [{}], [""]])("%j is no id", async (id) => {
  expect(await callAgentTool(shop, "get_cart", { meta: metaOf(platform), id })).toMatchObject({
    status: 400,
    body: { error: { code: -32602 } },
  });
});

describe("repeated calls", () => {
  test("with one key have one effect, although their ids differ", async () => {
    const input = cartInput(1, crypto.randomUUID());
    const first = contentOf(await callAgentTool(shop, "create_cart", input, { id: 1 }));
    const second = contentOf(await callAgentTool(shop, "create_cart", input, { id: 2 }));
    expect(second).toEqual(first);
  });

  test("with one key and another input are 409", async () => {
    const key = crypto.randomUUID();
    contentOf(await callAgentTool(shop, "create_cart", cartInput(1, key)));
    expect(await callAgentTool(shop, "create_cart", cartInput(2, key))).toMatchObject({
      status: 409,
      body: { error: { code: -32000 } },
    });
  });

  test.each(["complete_checkout", "cancel_checkout", "cancel_cart"])(
    "%s needs a key",
    async (name) => {
      const input = { meta: metaOf(platform), id: "chk_1", checkout: { payment: {} } };
      expect(await callAgentTool(shop, name, input)).toMatchObject({
        status: 400,
        body: { error: { code: -32602, message: expect.stringContaining("idempotency-key") } },
      });
    },
  );
});
