import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { runAllJobs } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { createLoggedInShopper } from "../support/sessions.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";
import {
  createBytes,
  createUpload,
  getFile,
  pictureFields,
  reserveTestUpload,
} from "./create-uploads.ts";

let shop: CreatedBusiness;

beforeEach(async () => {
  shop = await createBusiness();
});

const three = createBytes(3);

it("exports the files that the customer sent, and no others", async () => {
  const erased = await createLoggedInShopper(shop, "+233241234568");
  await merchant(shop)("DELETE", `/customers/${erased.customerId}/data`);
  const { ask, customerId } = await createLoggedInShopper(shop);
  const { id } = await createUpload(ask, three, { filename: "my face.png" });
  await createUpload(shopper(shop), three);
  const { uploads } = dataOf(await merchant(shop)("GET", `/customers/${customerId}/data`));
  expect(uploads).toEqual([
    {
      id,
      filename: "my face.png",
      content_type: pictureFields.content_type,
      size_bytes: 3,
      created_at: expect.any(String),
    },
  ]);
});

describe("a guest's files", () => {
  const filesOf = async (customerId: string) => {
    const answer = await merchant(shop)("GET", `/customers/${customerId}/data`);
    return dataOf(answer).uploads.map(({ id }: { id: string }) => id);
  };

  it("are assigned to the customer who logs in with the session, confirmed or not", async () => {
    const guest = shopper(shop);
    const { id } = await createUpload(guest, three);
    const unfinished = await reserveTestUpload(guest, 3);
    const { customerId } = await createLoggedInShopper(shop, "+233241234567", guest);
    expect(await filesOf(customerId)).toEqual([id, unfinished.id]);
  });

  it("are erased with that customer's data", async () => {
    const guest = shopper(shop);
    const { url } = await createUpload(guest, three);
    const { customerId } = await createLoggedInShopper(shop, "+233241234567", guest);
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    expect((await getFile(url)).status).toBe(404);
  });

  it("are not assigned in a session that was another customer's", async () => {
    const { ask, customerId } = await createLoggedInShopper(shop);
    await merchant(shop)("DELETE", `/customers/${customerId}/data`);
    const { id } = await createUpload(ask, three);
    const next = await createLoggedInShopper(shop, "+233241234568", ask);
    expect(await filesOf(next.customerId)).toEqual([]);
    expect(await selectRows(shop, "select customer_id from uploads where id = ?", id)).toEqual([
      { customer_id: null },
    ]);
  });
});

it("erases files and filenames immediately; the purge removes the bytes", async () => {
  const start = Date.parse("2034-01-01T00:00:00Z");
  vi.setSystemTime(start);
  const { ask, customerId } = await createLoggedInShopper(shop);
  const { id, url } = await createUpload(ask, three, { filename: "my face.png" });
  await merchant(shop)("DELETE", `/customers/${customerId}/data`);
  expect((await getFile(url)).status).toBe(404);
  expect(
    await selectRows(shop, "select filename, customer_id from uploads where id = ?", id),
  ).toEqual([{ filename: "", customer_id: null }]);
  vi.setSystemTime(start + 3_600_000);
  await runAllJobs();
  expect(await selectRows(shop, "select id from uploads where id = ?", id)).toEqual([]);
  expect((await env.FILES.list({ prefix: `${shop.business.id}/` })).objects).toEqual([]);
});

it("finds a guest's files by an index at login", async () => {
  const plan = await selectRows(
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
