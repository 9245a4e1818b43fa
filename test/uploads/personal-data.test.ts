import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { tick } from "../support/cron.ts";
import { dataOf } from "../support/orders.ts";
import { loggedInShopper } from "../support/sessions.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant, shopper } from "../support/world.ts";
import { bytesOf, get, givenUpload, picture } from "./given.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

const three = bytesOf(3);

it("a customer's export lists the files that were sent while logged in, and nobody else's", async () => {
  const { ask, customerId } = await loggedInShopper(shop);
  const { id } = await givenUpload(ask, three, { filename: "my face.png" });
  await givenUpload(shopper(shop), three);
  const { uploads } = dataOf(await merchant(shop)("GET", `/customers/${customerId}/data`));
  expect(uploads).toEqual([
    {
      id,
      filename: "my face.png",
      content_type: picture.content_type,
      size_bytes: 3,
      created_at: expect.any(String),
    },
  ]);
});

it("erasure ends a customer's files at once, their names too, and the sweep removes the bytes", async () => {
  const start = Date.parse("2004-01-01T00:00:00Z");
  vi.setSystemTime(start);
  const { ask, customerId } = await loggedInShopper(shop);
  const { id, url } = await givenUpload(ask, three, { filename: "my face.png" });
  await merchant(shop)("DELETE", `/customers/${customerId}/data`);
  expect((await get(url)).status).toBe(404);
  expect(await rowsOf(shop, "select filename, customer_id from uploads where id = ?", id)).toEqual([
    { filename: "", customer_id: null },
  ]);
  vi.setSystemTime(start + 3_600_000);
  await tick();
  expect(await rowsOf(shop, "select id from uploads where id = ?", id)).toEqual([]);
  expect((await env.FILES.list({ prefix: `${shop.business.id}/` })).objects).toEqual([]);
});
