import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { hour } from "../../shared/kernel/index.ts";
import { runAllJobs } from "../support/cron.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  type ApiClient,
  type CallOptions,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
  shopper,
} from "../support/world.ts";
import { callWithBindings, createFileStoreWith, getFile } from "../uploads/create-uploads.ts";
import { createShop, postProduct } from "./create-product.ts";

const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 1, 2, 3, 4]);

const imageForm = (
  bytes: Uint8Array<ArrayBuffer> | string = png,
  fields: Readonly<Record<string, string>> = {},
): FormData => {
  const form = new FormData();
  form.append("file", new File([bytes], "../tea.svg", { type: "image/svg+xml" }));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

let shop: CreatedBusiness;
let ask: ApiClient;
let id: string;

beforeEach(async () => {
  ({ shop, ask } = await createShop());
  ({ id } = await postProduct(ask, { name: "Tea", default_price: "5" }));
});

const addImage = (form: FormData = imageForm(), options: CallOptions = {}) =>
  ask("POST", `/products/${id}/images`, { rawBody: form, ...options });
const readImages = async () => dataOf(await ask("GET", `/products/${id}`)).images;
const listObjects = async (): Promise<string[]> =>
  (await env.FILES.list({ prefix: `${shop.business.id}/` })).objects.map(({ key }) => key);
const listUploads = () =>
  selectRows(
    shop,
    "select confirmed_at, purge_at from uploads where business_id = ?",
    shop.business.id,
  );

describe("POST /v1/businesses/{business_id}/products/{product_id}/images", () => {
  it("stores the file as an asset and adds it to the end of the product's images", async () => {
    const url = "https://cdn.test/a.png";
    await ask("PATCH", `/products/${id}`, { body: { images: [{ url, is_primary: true }] } });
    const added = await addImage();
    expect(added.status, JSON.stringify(added.body)).toBe(201);
    expect(added.body).toEqual(
      success({
        id: expect.stringMatching(/^img_[0-9a-z]{26}$/),
        url: expect.stringMatching(
          `^/cdn/assets/${shop.business.id}/products/${id}/up_[0-9a-z]{26}\\.png$`,
        ),
        is_primary: false,
      }),
    );
    expect(roundTrips(added)).toMatchObject({ d1: 3 });
    expect(await readImages()).toEqual([
      { id: expect.any(String), url, is_primary: true },
      dataOf(added),
    ]);
    const actions = await listAuditActions(shop);
    expect(actions.slice(0, 2)).toEqual(["product.created", "product.updated"]);
    expect(actions.slice(2).toSorted()).toEqual(["asset.published", "product.updated"]); // one batch
  });

  it("shows shoppers an image that is served as what its bytes are", async () => {
    const added = await addImage(imageForm(png, { is_primary: "true" }));
    const entry = await shopper(shop)("GET", `/catalogue/products/${id}`);
    const url = `https://duka.test${valueAt(added, "data.url")}`;
    expect(dataOf(entry)).toMatchObject({ image_url: url, images: [{ url, is_primary: true }] });
    const file = await getFile(url);
    expect(file.headers.get("content-type")).toBe("image/png");
    expect(file.bytes).toEqual(png);
  });

  it("makes a new primary image the only one", async () => {
    await addImage(imageForm(png, { is_primary: "true" }));
    await addImage(imageForm(png, { is_primary: "true" }));
    expect(await readImages()).toMatchObject([{ is_primary: false }, { is_primary: true }]);
  });

  it.each([
    ["JPEG", "\xff\xd8\xff\xe0", "jpg"],
    ["GIF", "GIF89a", "gif"],
    ["WebP", "RIFF\x01\x00\x00\x00WEBP", "webp"],
    ["AVIF", "\x00\x00\x00\x1cftypavif", "avif"],
  ])("accepts a %s", async (_, start, extension) => {
    const added = await addImage(imageForm(Uint8Array.from(start, (one) => one.charCodeAt(0))));
    expect(valueAt(added, "data.url")).toMatch(new RegExp(`\\.${extension}$`));
  });

  it("adds one image for two requests with one Idempotency-Key", async () => {
    const headers = { "Idempotency-Key": "one" };
    const first = await addImage(imageForm(), { headers });
    const second = await addImage(imageForm(), { headers });
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(await readImages()).toHaveLength(1);
    expect(await listObjects()).toHaveLength(1);
  });

  it("adds both of two images that arrive at the same time", async () => {
    const added = await Promise.all([addImage(), addImage()]);
    expect(added.map(({ status }) => status)).toEqual([201, 201]);
    expect(await readImages()).toHaveLength(2);
  });

  it.each([
    ["file", "no image", imageForm("<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["file", "an empty file", imageForm("")],
    ["file", "a form without a file", new FormData()],
    ["is_primary", "a flag that is none", imageForm(png, { is_primary: "yes" })],
    ["alt", "an unknown field", imageForm(png, { alt: "Tea" })],
    ["file", "text in place of a file", withText()],
    ["file", "two files", withSecondFile()],
  ])("rejects with the field %s: %s", async (field, _, form) => {
    const response = await addImage(form);
    expect(response.status, JSON.stringify(response.body)).toBe(400);
    expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    expect(await listUploads()).toEqual([]);
  });

  it("rejects a body that is no form", async () => {
    for (const [type, field] of [
      ["image/png", "content-type"],
      ["multipart/form-data; boundary=x", "file"],
    ] as const) {
      const options = { rawBody: "x", headers: { "Content-Type": type } };
      const response = await ask("POST", `/products/${id}/images`, options);
      expect(response.body).toMatchObject(refusal("VALIDATION_ERROR", { context: { field } }));
    }
  });

  it("rejects an image above the limit with 413", async () => {
    const large = new Uint8Array(20 * 1024 * 1024 + 1);
    large.set(png);
    const response = await addImage(imageForm(large));
    expect(response.status).toBe(413);
    expect(response.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "file" } }),
    );
    expect(await listUploads()).toEqual([]);
    const largest = await addImage(imageForm(large.subarray(1).fill(0, 12).map(pngAtStart)));
    expect(largest.status, JSON.stringify(largest.body)).toBe(201);
  });

  it("rejects the image after the hundredth", async () => {
    const images = Array.from({ length: 100 }, (_, index) => ({ url: `/cdn/${index}.png` }));
    await ask("PATCH", `/products/${id}`, { body: { images } });
    const response = await addImage();
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject(
      refusal("VALIDATION_ERROR", { context: { field: "images" } }),
    );
    expect(await listUploads()).toEqual([]);
  });

  it("is 404 for an archived product and one of another business, and stores nothing", async () => {
    const other = await createBusinessOnSameShard(shop);
    const foreign = await merchant(other)("POST", `/products/${id}/images`, {
      rawBody: imageForm(),
    });
    await ask("DELETE", `/products/${id}`);
    for (const response of [foreign, await addImage()]) {
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject(refusal("NOT_FOUND"));
    }
    expect(await listUploads()).toEqual([]);
  });

  it("leaves nothing visible when the file store fails, and a repeat adds the image", async () => {
    const FILES = createFileStoreWith({
      put: async () => {
        throw new Error("no answer");
      },
    });
    const headers = { "Idempotency-Key": "lost" };
    const addWith = (bindings: object) =>
      addImage(imageForm(), { headers, fetch: (request) => callWithBindings(bindings, request) });
    const failed = await addWith({ FILES });
    expect(failed).toMatchObject({ status: 503, body: { error: { retryable: true } } });
    expect(await readImages()).toEqual([]);
    const repeated = await addWith({});
    expect(repeated.status, JSON.stringify(repeated.body)).toBe(201);
    expect(await readImages()).toEqual([dataOf(repeated)]);
  });

  it("purges a file whose product was not written, and keeps the image that was", async () => {
    const start = Date.now();
    vi.setSystemTime(start);
    await env.SHOP_1.exec(failingUpdates);
    await env.SHOP_2.exec(failingUpdates);
    const failed = await addImage();
    expect(failed.status).toBe(409);
    for (const database of [env.SHOP_1, env.SHOP_2])
      await database.exec("drop trigger fail_product_updates");
    expect(await readImages()).toEqual([]);
    expect(await listUploads()).toMatchObject([{ confirmed_at: null }]);
    expect(await listObjects()).toHaveLength(1);
    const added = await addImage();
    vi.setSystemTime(start + 25 * hour);
    await runAllJobs();
    expect(await listUploads()).toEqual([{ confirmed_at: expect.any(Number), purge_at: null }]);
    expect(await listObjects()).toHaveLength(1);
    expect((await getFile(`https://duka.test${valueAt(added, "data.url")}`)).status).toBe(200);
  });
});

const failingUpdates =
  "create trigger fail_product_updates before update on products begin select raise(abort, 'NOT NULL constraint failed: products.updated_at'); end";

const pngAtStart = (byte: number, index: number): number => png[index] ?? byte;

function withText(): FormData {
  const form = new FormData();
  form.append("file", "tea");
  return form;
}

function withSecondFile(): FormData {
  const form = imageForm();
  form.append("file", new File([png], "b.png"));
  return form;
}
