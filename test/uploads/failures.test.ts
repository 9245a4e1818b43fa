import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { hour } from "../../shared/kernel/index.ts";
import {
  attemptRepo,
  confirmAsset,
  createFileStore,
  receiveBytes,
} from "../../shared/uploads/index.ts";
import { completeMove, expireBusinessCaches } from "../moves/create-move.ts";
import { runAllJobs } from "../support/cron.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import { contextFor, createBusiness, dataOf, shopper } from "../support/world.ts";
import {
  callWithBindings,
  createAsset,
  createBytes,
  createFileStoreWith,
  createPausedBody,
  createUpload,
  deployCaller,
  getFile,
  pictureFields,
  putBytes,
  reserveTestAsset,
  reserveTestUpload,
} from "./create-uploads.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof shopper>;
let deploy: ReturnType<typeof deployCaller>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = shopper(shop);
  deploy = deployCaller(shop);
});

const three = createBytes(3);
const listObjects = async (): Promise<string[]> =>
  (await env.FILES.list({ prefix: `${shop.business.id}/` })).objects.map(({ key }) => key);
const listRows = () =>
  selectRows(shop, "select id from uploads where business_id = ?", shop.business.id);
const confirm = (id: string) => ask("POST", "/uploads/confirm", { body: { upload_id: id } });
const hasStarted = async (id: string) =>
  (await selectRows(shop, "select attempts from uploads where id = ?", id))[0]?.attempts === 1;

const throwOutage = async (): Promise<never> => {
  throw new Error("R2 does not answer.");
};
const outageResponse = {
  status: 503,
  body: { error: { code: "SERVICE_UNAVAILABLE", retryable: true } },
};

/** Calls the Worker with another file store. */
async function callWithStore(FILES: R2Bucket, request: Request) {
  const response = await callWithBindings({ FILES }, request);
  return { status: response.status, body: await response.json() };
}
const putRequest = (address: string, body: BodyInit = three) =>
  new Request(address, {
    method: "PUT",
    headers: { "Content-Type": pictureFields.content_type },
    body,
  });

describe("with R2 down", () => {
  it("a PUT returns 503 and can be repeated, also when the bytes were stored", async () => {
    for (const put of [
      throwOutage,
      async (...args: Parameters<R2Bucket["put"]>) => {
        await env.FILES.put(...args);
        return throwOutage();
      },
    ]) {
      const { id, address } = await reserveTestUpload(ask, 3);
      expect(await callWithStore(createFileStoreWith({ put }), putRequest(address))).toMatchObject(
        outageResponse,
      );
      expect(await putBytes(address, three)).toMatchObject({ status: 200 });
      expect(await confirm(id)).toMatchObject({ status: 200 });
    }
    expect(await listObjects()).toHaveLength(2);
  });

  it("the purge removes objects that a failed PUT could not delete", async () => {
    const start = Date.parse("2033-02-01T00:00:00Z");
    vi.setSystemTime(start);
    const { id, address } = await reserveTestUpload(ask, 3);
    const storeThenFail = async (...args: Parameters<R2Bucket["put"]>) => {
      await env.FILES.put(...args);
      return throwOutage();
    };
    const FILES = createFileStoreWith({ put: storeThenFail, delete: throwOutage });
    expect(await callWithStore(FILES, putRequest(address))).toMatchObject(outageResponse);
    await putBytes(address, three);
    const { url } = dataOf(await confirm(id));
    expect(await listObjects()).toHaveLength(2);
    vi.setSystemTime(start + 24 * hour);
    await runAllJobs();
    expect(await listObjects()).toEqual([`${shop.business.id}/${id}/2`]);
    expect((await getFile(url)).bytes).toEqual(three);
  });

  it("a confirmation returns 503 and can be repeated", async () => {
    const { id, address, url } = await reserveTestAsset(deploy, 3);
    await putBytes(address, three);
    const { keys, business } = shop;
    const confirmRequest = new Request(
      `https://duka.test/v1/businesses/${business.id}/assets/confirm`,
      {
        method: "POST",
        headers: { Authorization: `Bearer ${keys.deploy}`, "Content-Type": "application/json" },
        body: JSON.stringify({ upload_id: id }),
      },
    );
    expect(
      await callWithStore(createFileStoreWith({ head: throwOutage }), confirmRequest),
    ).toMatchObject(outageResponse);
    expect((await getFile(url)).status).toBe(404);
    expect(await deploy("POST", "/confirm", { body: { upload_id: id } })).toMatchObject({
      status: 200,
    });
  });

  it("a download returns 503, and 404 when the bytes are missing", async () => {
    const { url } = await createUpload(ask, three);
    const asset = await createAsset(deploy, three);
    for (const address of [url, asset.url]) {
      expect(
        await callWithStore(createFileStoreWith({ get: throwOutage }), new Request(address)),
      ).toMatchObject(outageResponse);
    }
    await env.FILES.delete(await listObjects());
    for (const address of [url, asset.url]) expect((await getFile(address)).status).toBe(404);
  });
});

describe("a PUT", () => {
  it("that broke off can be repeated", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    const parts = [createBytes(2)];
    const breakingBody = new ReadableStream<Uint8Array>({
      pull(controller) {
        const part = parts.shift();
        if (part) controller.enqueue(part);
        else controller.error(new Error("The sender is gone."));
      },
    });
    expect(await callWithStore(env.FILES, putRequest(address, breakingBody))).toMatchObject(
      outageResponse,
    );
    expect(await confirm(id)).toMatchObject({ status: 400 });
    expect(await listObjects()).toEqual([]);
    expect(await putBytes(address, three)).toMatchObject({ status: 200 });
    expect(await confirm(id)).toMatchObject({ status: 200 });
  });

  it("does not block a concurrent PUT", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    const { body, release } = createPausedBody(createBytes(3, 11));
    const slow = putBytes(address, body);
    await expect.poll(() => hasStarted(id)).toBe(true);
    expect(await confirm(id)).toMatchObject({ status: 400 });
    await putBytes(address, three);
    const { url } = dataOf(await confirm(id));
    release();
    expect(await slow).toMatchObject({ status: 409 });
    expect((await getFile(url)).bytes).toEqual(three);
  });

  it("returns 403 and stores nothing when its asset was deleted and purged meanwhile", async () => {
    const start = Date.parse("2033-03-01T00:00:00Z");
    vi.setSystemTime(start);
    const { id, address } = await reserveTestAsset(deploy, 3);
    const { body, release } = createPausedBody(three);
    const slow = putBytes(address, body);
    await expect.poll(() => hasStarted(id)).toBe(true);
    await deploy("DELETE", `/${id}`);
    vi.setSystemTime(start + hour);
    await runAllJobs();
    expect(await listRows()).toEqual([]);
    release();
    expect(await slow).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
    expect(await listObjects()).toEqual([]);
  });

  it("that takes too long is aborted and can be repeated", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    const transferTimeout = new AbortController();
    const ctx = { ...contextFor(shop), files: createFileStore(env.FILES) };
    const declared = { contentType: pictureFields.content_type, sizeBytes: 3 };
    const { body, release } = createPausedBody(three);
    const slow = receiveBytes(async () => ctx, {
      uploadId: id,
      declared,
      sent: { ...declared, bytes: body, signal: transferTimeout.signal },
    });
    await expect.poll(() => hasStarted(id)).toBe(true);
    transferTimeout.abort();
    await expect(slow).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    release();
    expect(await listObjects()).toEqual([]);
    expect(await putBytes(address, three)).toMatchObject({ status: 200 });
  });

  it("succeeds when its business moves to another shard meanwhile", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    const { id, address } = await reserveTestUpload(ask, 3);
    const { body, release } = createPausedBody(three);
    const slow = putBytes(address, body);
    await expect.poll(() => hasStarted(id)).toBe(true);
    await completeMove(shop);
    expireBusinessCaches();
    release();
    expect(await slow).toMatchObject({ status: 200 });
    const confirmed = await confirm(id);
    expect(confirmed).toMatchObject({ status: 200 });
    expect((await getFile(dataOf(confirmed).url)).bytes).toEqual(three);
  });

  it("can be completed repeatedly by the same attempt only", async () => {
    const { id } = await reserveTestUpload(ask, 3);
    const attempts = attemptRepo(contextFor(shop));
    await attempts.start(id, Date.now());
    await attempts.start(id, Date.now());
    const [first, second] = [1, 2].map((attempt) => ({ attempt, etag: `"${attempt}"` }));
    if (!first || !second) throw new Error("There are two attempts.");
    expect(await attempts.complete(id, second)).toBeNull();
    expect(await attempts.complete(id, second)).toBeNull();
    expect(await attempts.complete(id, first)).toBe("already_received");
    expect(await attempts.complete("upl_unknown", first)).toBe("gone");
  });
});

describe("a confirmation", () => {
  it("rejects an object with another ETag", async () => {
    const { id, address } = await reserveTestUpload(ask, 3);
    await putBytes(address, three);
    const [key = ""] = await listObjects();
    await env.FILES.put(key, createBytes(3, 11));
    expect(await confirm(id)).toMatchObject({
      status: 400,
      body: { error: { code: "BAD_REQUEST" } },
    });
    await env.FILES.put(key, three);
    expect(await confirm(id)).toMatchObject({ status: 200 });
  });

  it("of an asset that is purged meanwhile keeps the previous asset", async () => {
    const before = await createAsset(deploy, three);
    const { id, address } = await reserveTestAsset(deploy, 3);
    await putBytes(address, createBytes(3, 11));
    const files = createFileStoreWith({
      async head(key) {
        await selectRows(shop, "delete from uploads where id = ? returning id", id);
        return env.FILES.head(key);
      },
    });
    const ctx = { ...contextFor(shop), files: createFileStore(files) };
    await expect(confirmAsset(ctx, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await getFile(before.url)).bytes).toEqual(three);
    expect(await listAuditActions(shop)).toEqual(["asset.published"]);
  });

  it("concurrent with the purge either keeps the file or returns 404", async () => {
    const start = Date.parse("2033-04-01T00:00:00Z");
    vi.setSystemTime(start);
    const { id, address } = await reserveTestUpload(ask, 3);
    await putBytes(address, three);
    vi.setSystemTime(start + 24 * hour);
    const [confirmed] = await Promise.all([confirm(id), runAllJobs()]);
    const isKept = confirmed.status === 200;
    expect([200, 404]).toContain(confirmed.status);
    expect(await listRows()).toHaveLength(isKept ? 1 : 0);
    expect(await listObjects()).toHaveLength(isKept ? 1 : 0);
  });
});
