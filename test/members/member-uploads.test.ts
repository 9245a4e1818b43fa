import { beforeAll, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { postProduct } from "../business/create-product.ts";
import { createMember, type LoggedInMember } from "../support/console.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";
import { getFile, putBytes } from "../uploads/create-uploads.ts";

// Files arrive as forms or at signed addresses, not as JSON like the calls of member-access.test.ts.

const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 1, 2, 3, 4]);
const forms = () => {
  const form = new FormData();
  form.append("file", new File([png], "tea.png", { type: "image/png" }));
  return form;
};
const foreign = { headers: { Origin: "https://evil.example" } };

let shop: CreatedBusiness;
let editor: LoggedInMember;
let images: string;

beforeAll(async () => {
  shop = await createBusiness();
  editor = await createMember(shop, "catalogue");
  const { id } = await postProduct(merchant(shop), { name: "Tea", default_price: "5" });
  images = `/products/${id}/images`;
});

it("takes an image of a product with the cookie of a member who may change the catalogue", async () => {
  const added = await editor.ask("POST", images, { rawBody: forms() });
  expect(added.status, JSON.stringify(added.body)).toBe(201);
  const file = await getFile(new URL(dataOf(added).url, "https://duka.test").href);
  expect([file.status, file.bytes]).toEqual([200, png]);
});

it("takes no image from a page of another host, nor from a role without catalogue:write", async () => {
  const denied = { status: 403, body: { error: { code: "FORBIDDEN" } } };
  expect(await editor.ask("POST", images, { rawBody: forms(), ...foreign })).toMatchObject(denied);
  const orders = await createMember(shop, "orders");
  expect(await orders.ask("POST", images, { rawBody: forms() })).toMatchObject(denied);
  const outsider = await createMember(await createBusiness(), "owner");
  const path = `/v1/businesses/${shop.business.id}${images}`;
  expect((await outsider.askAt("POST", path, { rawBody: forms() })).status).toBe(404);
});

it("publishes an asset with the cookie, and only from pages of this host", async () => {
  const body = { folder: "chat", filename: "tea.png", content_type: "image/png", size_bytes: 12 };
  expect(await editor.ask("POST", "/assets/init", { body, ...foreign })).toMatchObject({
    status: 403,
  });
  const { upload_id, upload_url } = dataOf(await editor.ask("POST", "/assets/init", { body }));
  const sent = await putBytes(upload_url, png, { contentType: "image/png" });
  expect(sent.status, JSON.stringify(sent.body)).toBeLessThan(300);
  const confirm = { body: { upload_id } };
  expect(await editor.ask("POST", "/assets/confirm", { ...confirm, ...foreign })).toMatchObject({
    status: 403,
  });
  expect((await editor.ask("POST", "/assets/confirm", confirm)).status).toBe(200);
  expect((await editor.ask("DELETE", `/assets/${upload_id}`)).status).toBeLessThan(300);
});
