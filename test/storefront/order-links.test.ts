import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createOrderPath } from "../../functions/runtime/order-links.ts";
import { settingsOf } from "../../functions/runtime/settings.ts";
import { day } from "../../shared/kernel/index.ts";
import { createDeclinedOrder } from "../support/create-order.ts";
import { createShopWithStock } from "../support/create-shop-with-stock.ts";
import {
  call,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  shopper,
} from "../support/world.ts";

const linkTo = (businessId: string, orderId: string, now = Date.now()) =>
  createOrderPath(settingsOf(env), { businessId, orderId, now });

const card = { payment_method: "card" };

it("opens, pays and cancels its order for the holder of the link", async () => {
  const { shop, product, shopper: ask } = await createShopWithStock();
  const id = await createDeclinedOrder(ask, product.id);
  const path = await linkTo(shop.business.id, id);
  const [order, token] = path.split("?");
  const holder = shopper(shop);
  expect(await holder("GET", path)).toMatchObject({ status: 200, body: { data: { id } } });
  expect(await holder("POST", `${order}/pay?${token}`, { body: card })).toMatchObject({
    status: 200,
    body: { data: { next_action: { type: "redirect" } } },
  });
  expect(await holder("POST", `${order}/cancel?${token}`)).toMatchObject({
    status: 200,
    body: { data: { status: "cancelled" } },
  });
});

it("puts an unpaid order back into the holder's cart", async () => {
  const { shop, product, shopper: ask } = await createShopWithStock();
  const id = await createDeclinedOrder(ask, product.id);
  const [order, token] = (await linkTo(shop.business.id, id)).split("?");
  const reopened = await shopper(shop)("POST", `${order}/reopen-cart?${token}`);
  expect(reopened).toMatchObject({
    status: 200,
    body: { data: { items: [{ item_id: product.id }] } },
  });
});

it("is 404 for another order, another business, after its time, and when it was changed", async () => {
  const { shop, product, shopper: ask } = await createShopWithStock();
  const id = await createDeclinedOrder(ask, product.id);
  const other = await createDeclinedOrder(shopper(shop), product.id);
  const path = await linkTo(shop.business.id, id);
  const token = path.split("=")[1] ?? "";
  const holder = shopper(shop);
  const foreign = await linkTo((await createBusinessOnSameShard(shop)).business.id, id);
  const expired = await linkTo(shop.business.id, id, Date.now() - 181 * day);
  const changed = `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
  for (const wrong of [
    `/orders/${other}?token=${token}`,
    foreign,
    expired,
    `/orders/${id}?token=${changed}`,
  ])
    expect(await holder("GET", wrong)).toMatchObject({ status: 404 });
});

it("finds a shop by slug and by id, with a key that works for it alone", async () => {
  const { business } = await createBusiness({ name: "Corner shop", slug: "corner" });
  const found = await call("GET", "/api/v1/shops/corner");
  expect(found).toMatchObject({ status: 200, body: { data: { business: { id: business.id } } } });
  const { public_key: key } = dataOf(found);
  expect(dataOf(await call("GET", `/api/v1/shops/${business.id}`)).public_key).toBe(key);
  const headers = { "X-Public-Key": String(key) };
  expect(await call("GET", "/api/v1/business", { headers })).toMatchObject({
    body: { data: { slug: "corner" } },
  });
  const other = (await createBusiness()).business.id;
  const named = { ...headers, "X-Business-Id": other };
  expect(await call("GET", "/api/v1/business", { headers: named })).toMatchObject({ status: 403 });
  const forged = { "X-Public-Key": String(key).replace(business.id.slice(4), other.slice(4)) };
  expect(await call("GET", "/api/v1/business", { headers: forged })).toMatchObject({ status: 401 });
  const live = { "X-Public-Key": String(key).replace("pk_test", "pk_live") };
  expect(await call("GET", "/api/v1/business", { headers: live })).toMatchObject({ status: 401 });
  expect(await call("GET", "/api/v1/shops/none")).toMatchObject({ status: 404 });
});
