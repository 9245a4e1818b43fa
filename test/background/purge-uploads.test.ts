import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { hour } from "../../shared/kernel/index.ts";
import { dueFilesQuery, maxUploadAttempts } from "../../shared/uploads/index.ts";
import { runAllJobs } from "../support/cron.ts";
import { selectRows } from "../support/select-rows.ts";
import { logIn } from "../support/sessions.ts";
import { contextFor, createBusiness, dataOf, roundTrips, shopper } from "../support/world.ts";
import {
  createAsset,
  createBytes,
  createUpload,
  deployCaller,
  getFile,
  putBytes,
  reserveTestAsset,
  reserveTestUpload,
} from "../uploads/create-uploads.ts";

/** Far enough ahead that no alarm fires by itself. */
const start = Date.parse("2032-03-04T05:00:00Z");
/** In hours. */
const day = 24;

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let deploy: ReturnType<typeof deployCaller>;

beforeEach(async () => {
  vi.setSystemTime(start);
  shop = await createBusiness();
  ask = shopper(shop);
  deploy = deployCaller(shop);
});

const threeBytes = createBytes(3);
const listObjects = async (): Promise<string[]> =>
  (await env.FILES.list({ prefix: `${shop.business.id}/` })).objects.map(({ key }) => key);
const listRows = () =>
  selectRows(shop, "select id, purge_at from uploads where business_id = ?", shop.business.id);
const confirm = (id: string) => ask("POST", "/uploads/confirm", { body: { upload_id: id } });

async function sweepAfter(hours: number): Promise<void> {
  vi.setSystemTime(start + hours * hour);
  await runAllJobs();
}

/** A file store whose deletions take effect but get no response. */
function createStoreWithoutDeleteResponse(): R2Bucket {
  const { FILES } = env;
  return {
    put: FILES.put.bind(FILES),
    head: FILES.head.bind(FILES),
    get: FILES.get.bind(FILES),
    delete: async (keys: string | string[]) => {
      await FILES.delete(keys);
      throw new Error("no answer");
    },
  } as unknown as R2Bucket; // safe: nothing else is called
}

describe("purgeUploads", () => {
  it("removes files that were not confirmed within 24 hours", async () => {
    await reserveTestUpload(ask, 3);
    const sent = await reserveTestUpload(ask, 3);
    await putBytes(sent.address, threeBytes);
    const confirmed = await createUpload(ask, threeBytes);
    const asset = await createAsset(deploy, threeBytes);
    await sweepAfter(23);
    expect(await listRows()).toHaveLength(4);
    await sweepAfter(24);
    expect((await listRows()).map(({ id }) => id).sort()).toEqual([asset.id, confirmed.id].sort());
    expect(await listObjects()).toHaveLength(2);
    expect((await getFile(confirmed.url)).bytes).toEqual(threeBytes);
    expect((await getFile(asset.url)).bytes).toEqual(threeBytes);
    expect(await confirm(sent.id)).toMatchObject({ status: 404 });
  });

  it("removes the bytes of deleted and replaced assets once no attempt can be in progress", async () => {
    const first = await createAsset(deploy, threeBytes);
    const second = await createAsset(deploy, createBytes(4));
    const other = await createAsset(deploy, threeBytes, { filename: "other" });
    await deploy("DELETE", `/${other.id}`);
    expect(await listObjects()).toHaveLength(3);
    await sweepAfter(1);
    expect(await listObjects()).toEqual([`${shop.business.id}/${second.id}/1`]);
    expect((await listRows()).map(({ id }) => id)).toEqual([second.id]);
    expect((await getFile(first.url)).bytes).toEqual(createBytes(4));
  });

  it("removes objects of failed attempts and keeps the confirmed file", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    // The first attempt stored its bytes and died before it was recorded.
    await selectRows(shop, "update uploads set attempts = 1 where id = ? returning id", id);
    await env.FILES.put(`${shop.business.id}/${id}/1`, threeBytes);
    expect(await putBytes(address, threeBytes)).toMatchObject({ status: 200 });
    expect(await confirm(id)).toMatchObject({ status: 200 });
    expect(await listObjects()).toHaveLength(2);
    await sweepAfter(24);
    expect(await listObjects()).toEqual([`${shop.business.id}/${id}/2`]);
    expect(await listRows()).toEqual([{ id, purge_at: null }]);
  });

  it("continues after a run that died between the objects and their rows", async () => {
    const { address } = await reserveTestUpload(ask, 3);
    await putBytes(address, threeBytes);
    vi.setSystemTime(start + 24 * hour);
    await runAllJobs({ ...env, FILES: createStoreWithoutDeleteResponse() });
    expect(await listObjects()).toEqual([]);
    expect(await listRows()).toHaveLength(1);
    await runAllJobs();
    expect(await listRows()).toHaveLength(1); // still leased
    vi.setSystemTime(start + 24 * hour + 5 * 60_000);
    await runAllJobs();
    expect(await listRows()).toEqual([]);
  });

  it("runs concurrently and handles many files per run", async () => {
    for (let index = 0; index < 12; index += 1) {
      const { address } = await reserveTestAsset(deploy, 3, { filename: `${index}` });
      await putBytes(address, threeBytes);
    }
    vi.setSystemTime(start + 24 * hour);
    await Promise.all([runAllJobs(), runAllJobs()]);
    expect(await listRows()).toEqual([]);
    expect(await listObjects()).toEqual([]);
  });

  it("relies on the limit of attempts per upload address", async () => {
    const { address } = await reserveTestUpload(ask, 3);
    for (let index = 0; index < maxUploadAttempts; index += 1) {
      await putBytes(address, new ReadableStream({ start: (stream) => stream.close() }));
    }
    expect(await putBytes(address, threeBytes)).toMatchObject({ status: 409 });
  });

  it("removes a guest's file 30 days after it was last confirmed", async () => {
    const { id, url } = await createUpload(ask, threeBytes);
    await sweepAfter(30 * day - 1);
    expect(await listRows()).toHaveLength(1);
    await sweepAfter(30 * day);
    expect([await listRows(), await listObjects()]).toEqual([[], []]);
    expect(await getFile(url)).toMatchObject({ status: 403 }); // the address is valid for 7 days
    expect(await confirm(id)).toMatchObject({ status: 404 });
  });

  it("keeps a guest's file longer when it is confirmed again", async () => {
    const { id } = await createUpload(ask, threeBytes);
    vi.setSystemTime(start + 29 * day * hour);
    const { url } = dataOf(await confirm(id));
    await sweepAfter(35 * day);
    expect((await getFile(String(url))).bytes).toEqual(threeBytes);
    await sweepAfter(59 * day);
    expect([await listRows(), await listObjects()]).toEqual([[], []]);
  });

  it("does not write when the file was confirmed within a day", async () => {
    const { id } = await createUpload(ask, threeBytes);
    vi.setSystemTime(start + 23 * hour);
    expect(roundTrips(await confirm(id))).toMatchObject({ d1: 2 }); // the key's, and the file's
    vi.setSystemTime(start + 24 * hour);
    expect(roundTrips(await confirm(id))).toMatchObject({ d1: 3 });
  });

  it("keeps the files of customers, also those sent before the login", async () => {
    await createUpload(ask, threeBytes);
    await logIn(ask, "+233241000001");
    await createUpload(ask, threeBytes);
    await sweepAfter(365 * day);
    expect([await listRows(), await listObjects()]).toMatchObject([{ length: 2 }, { length: 2 }]);
  });

  it("continues after a run that died between a guest's objects and the row; the file stays unavailable", async () => {
    const { id } = await createUpload(ask, threeBytes);
    vi.setSystemTime(start + 29 * day * hour);
    await ask("GET", "/cart"); // keeps the session alive
    vi.setSystemTime(start + 30 * day * hour);
    await runAllJobs({ ...env, FILES: createStoreWithoutDeleteResponse() });
    expect([await listRows(), await listObjects()]).toMatchObject([[{ id }], []]);
    expect(await confirm(id)).toMatchObject({ status: 404 });
    await logIn(ask, "+233241000002");
    vi.setSystemTime(start + 30 * day * hour + 5 * 60_000);
    await Promise.all([runAllJobs(), runAllJobs()]);
    expect(await listRows()).toEqual([]);
  });

  it("removes objects of failed attempts of a guest's file first, and the file later", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    await selectRows(shop, "update uploads set attempts = 1 where id = ? returning id", id);
    await env.FILES.put(`${shop.business.id}/${id}/1`, threeBytes);
    await putBytes(address, threeBytes);
    await confirm(id);
    await sweepAfter(day);
    expect(await listObjects()).toEqual([`${shop.business.id}/${id}/2`]);
    await sweepAfter(30 * day);
    expect([await listRows(), await listObjects()]).toEqual([[], []]);
  });

  it("finds due files by indexes", async () => {
    const { sql, params } = dueFilesQuery(contextFor(shop).db, { now: start, limit: 9 }).toSQL();
    const plan = await selectRows(shop, `explain query plan ${sql}`, ...params);
    const read = plan.map(({ detail }) => String(detail)).filter((one) => one.includes("uploads"));
    expect(read).toEqual([
      "SEARCH due USING INDEX uploads_due (purge_at>? AND purge_at<?)",
      "SEARCH due USING INDEX uploads_left_by_guests (confirmed_at>? AND confirmed_at<?)",
    ]);
  });
});
