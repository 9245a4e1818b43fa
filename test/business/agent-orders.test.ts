import { beforeEach, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import type { Product } from "../../shared/catalogue/index.ts";
import { createAgentOrder, profileUrl } from "../support/create-agent-order.ts";
import { createOrder } from "../support/create-order.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import { dataOf, type merchant } from "../support/world.ts";

let shop: CreatedBusiness;
let product: Product;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  ({ shop, product, merchant: ask } = await createShopWithStock());
});

it("shows merchants the platform whose agent placed an order", async () => {
  const id = await createAgentOrder(shop, product.id);
  const other = await createOrder(shop, product.id);
  expect(dataOf(await ask("GET", `/orders/${id}`)).agent).toEqual({ profile_url: profileUrl });
  const { items } = dataOf(await ask("GET", "/orders"));
  const agents = Object.fromEntries(
    items.map((order: { id: string; agent: object | null }) => [order.id, order.agent]),
  );
  expect(agents).toEqual({ [id]: { profile_url: profileUrl }, [other.id]: null });
});
