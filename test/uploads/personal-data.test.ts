import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { tick } from "../support/cron.ts";
import { dataOf } from "../support/orders.ts";
import { loggedInShopper } from "../support/sessions.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness, merchant, shopper } from "../support/world.ts";
import { bytesOf, get, givenPlace, givenUpload, picture } from "./given.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await givenBusiness();
});

const three = bytesOf(3);

it("a customer's export lists the files that they sent, and nobody else's", async () => {
  const erased = await loggedInShopper(shop, "+233241234568");
  await merchant(shop)("DELETE", `/customers/${erased.customerId}/data`);
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

describe("what a guest sent", () => {
  const filesOf = async (customerId: string) => {
    const answer = await merchant(shop)("GET", `/customers/${customerId}/data`);
    return dataOf(answer).uploads.map(({ id }: { id: string }) => id);
  };

  it("is the customer's who then logs in with that session, finished or not", async () => {
    const guest = shopper(shop);
    const { id } = await givenUpload(guest, three);
    const unfinished = await givenPlace(guest, 3);
    const { customerId } = await loggedInShopper(shop, "+233241234567", guest);
    expect(await filesOf(customerId)).toEqual([id, unfinished.id]);
  });

  it("goes with that customer's data", async () => {
    const guest = shopper(shop);
    const { url } = await givenUpload(guest, three);
    const { customerId } = await loggedInShopper(shop, "+233241234567", guest);
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    expect((await get(url)).status).toBe(404);
  });

  it("is nobody's in a session that was another customer's, whose login was ended", async () => {
    const { ask, customerId } = await loggedInShopper(shop);
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    const { id } = await givenUpload(ask, three);
    const next = await loggedInShopper(shop, "+233241234568", ask);
    expect(await filesOf(next.customerId)).toEqual([]);
    expect(await rowsOf(shop, "select customer_id from uploads where id = ?", id)).toEqual([
      { customer_id: null },
    ]);
  });
});

it("erasure ends a customer's files at once, their names too, and the sweep removes the bytes", async () => {
  const start = Date.parse("2034-01-01T00:00:00Z");
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

it("a guest's files are found by their index at a login", async () => {
  const plan = await rowsOf(
    shop,
    `explain query plan update uploads set customer_id = 'cus_1' where business_id = ?
      and session_id = ? and customer_id is null and deleted_at is null`,
    shop.business.id,
    "ses_1",
  );
  expect(plan).toMatchObject([
    { detail: "SEARCH uploads USING INDEX uploads_of_guest (business_id=? AND session_id=?)" },
  ]);
});
