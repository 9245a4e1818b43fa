import { beforeEach, describe, expect, it } from "vitest";
import type { Business } from "../../sdk/src/index.ts";
import { ForbiddenError, NotFoundError, UnauthorizedError } from "../../sdk/src/index.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { createBusiness } from "../support/world.ts";
import { createDeploymentOperator, createMerchant } from "./create-clients.ts";

let created: CreatedBusiness;
let business: Business;

beforeEach(async () => {
  created = await createBusiness();
  business = createMerchant(created);
});

describe("a merchant", () => {
  it("creates, reads, changes, lists and archives a product", async () => {
    const { data: tea } = await business.products.create({ name: "Tea", default_price: "5" });
    expect(tea).toMatchObject({ name: "Tea", default_price: "5.00" });
    const changed = await business.products.update(tea.id, { default_price: "6.50" });
    expect(changed.data).toMatchObject({ id: tea.id, default_price: "6.50" });
    expect((await business.products.get(tea.id)).data).toEqual(changed.data);
    expect((await business.products.list({ limit: 5 }).page()).items).toMatchObject([
      { id: tea.id, name: "Tea" },
    ]);
    await business.products.archive(tea.id);
    await expect(business.products.get(tea.id)).rejects.toThrow(NotFoundError);
  });

  it("confirms an order and refunds a part of it once", async () => {
    const order = await createOrder(created, (await createProduct(created)).id);
    const idempotencyKey = "refund-of-the-cracked-cup";
    const refund = () => business.orders.refund(order.id, { amount: "5" }, { idempotencyKey });
    const { data: refunded } = await refund();
    expect(refunded).toMatchObject({ amount: "5.00" });
    expect((await refund()).data).toEqual(refunded);
    const { data: read } = await business.orders.get(order.number);
    expect(read).toMatchObject({ id: order.id, payment_status: "partially_refunded" });
    await business.orders.addNote(order.id, { text: "One cup was cracked." });
    const notes = await business.orders.listNotes(order.id).page();
    expect(notes.items).toMatchObject([{ text: "One cup was cracked." }]);
  });

  it("reads and changes the business, whose path ends with its id", async () => {
    expect((await business.business.get()).data).toMatchObject({ id: created.business.id });
    const { data } = await business.business.update({ name: "Tea & Co" });
    expect(data).toMatchObject({ name: "Tea & Co" });
  });

  it("imports products from a CSV file, tries one out first, and exports them", async () => {
    const file = [
      "Handle,Title,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price",
      "mug,Mug,true,Title,Default Title,MUG-1,4,12.50",
      "",
    ].join("\n");
    const { data: tried } = await business.products.import({ file, dry_run: true });
    expect(tried).toMatchObject({ products_created: 1 });
    expect((await business.products.list().page()).items).toEqual([]);
    expect((await business.products.import({ file })).data).toMatchObject({ products_created: 1 });
    const again = new Blob([file], { type: "text/csv" });
    expect((await business.products.import({ file: again })).data).toMatchObject({
      products_created: 0,
    });
    const { data: exported } = await business.products.export();
    expect(exported).toMatch(/^Handle,Title,[\s\S]*\nmug,Mug,[\s\S]*,12\.50,/);
  });

  it("uploads an image of a product as a form", async () => {
    const { data: tea } = await business.products.create({ name: "Tea", default_price: "5" });
    const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2]);
    const { data: image } = await business.products.addImage(tea.id, {
      file: new Blob([png], { type: "image/png" }),
      is_primary: true,
    });
    expect(image).toMatchObject({ is_primary: true, url: expect.stringMatching(/\.png$/) });
    expect((await business.products.get(tea.id)).data.images).toEqual([image]);
  });

  it("administers webhooks with the secret key", async () => {
    const { data: hook } = await business.webhooks.create({
      url: "https://receiver.example.com/hook",
      events: ["order.created"],
    });
    expect(hook).toMatchObject({ status: "active", secret: expect.stringMatching(/^whsec_/) });
    const { data: changed } = await business.webhooks.update(hook.id, { description: "Till" });
    expect((await business.webhooks.list()).data).toEqual([changed]);
    const { data: rotated } = await business.webhooks.rotateSecret(hook.id);
    expect(rotated.secret).not.toBe(hook.secret);
    const { data: delivery } = await business.webhooks.test(hook.id, { event: "order.created" });
    const { items } = await business.webhooks.listDeliveries(hook.id, { limit: 1 }).page();
    expect(items).toMatchObject([{ id: delivery.id, is_test: true }]);
    expect((await business.webhooks.delete(hook.id)).data).toEqual({ id: hook.id, deleted: true });
  });

  it("is refused with another business's key, and with none", async () => {
    const other = await createBusiness();
    const withOtherKey = createMerchant({ ...created, keys: other.keys });
    await expect(withOtherKey.products.list().page()).rejects.toThrow(ForbiddenError);
    const withUnknownKey = createMerchant({
      ...created,
      keys: { ...created.keys, secret: "sk_test_no" },
    });
    await expect(withUnknownKey.products.list().page()).rejects.toThrow(UnauthorizedError);
  });

  it("publishes an asset with a deploy key, and deletes it", async () => {
    const build = createMerchant({
      ...created,
      keys: { ...created.keys, secret: created.keys.deploy },
    });
    const { data: upload } = await build.assets.startUpload({
      ...{ folder: "theme", filename: "a.css", content_type: "text/css", size_bytes: 2 },
    });
    expect(upload).toMatchObject({ upload_url: expect.stringContaining("https://duka.test/") });
    expect((await build.assets.delete(upload.upload_id)).data).toBeUndefined();
  });
});

describe("an operator", () => {
  it("creates a business whose keys work, suspends it and lists all", async () => {
    const operator = createDeploymentOperator();
    const { data } = await operator.businesses.create({
      name: "Adwoa's Bakery",
      mode: "test",
      currency: "GHS",
      default_country: "GH",
      timezone: "Africa/Accra",
    });
    const owner = createMerchant({ keys: data.keys, business: data.business });
    expect((await owner.business.get()).data).toMatchObject({ name: "Adwoa's Bakery" });
    await operator.businesses.suspend(data.business.id);
    const { items } = await operator.businesses.list({ limit: 1 }).page();
    expect(items).toMatchObject([{ id: data.business.id, status: "suspended" }]);
    const { data: key } = await operator.keys.create(data.business.id, {
      kind: "secret",
      scopes: ["orders:read"],
    });
    expect(key.key).toMatch(/^sk_test_/);
    expect((await operator.deployment.getStatus()).data).toBeTypeOf("object");
  });
});
