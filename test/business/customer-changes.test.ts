import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createKey } from "../support/create-key.ts";
import { createOrder, type PlacedOrder } from "../support/create-order.ts";
import { createProduct } from "../support/create-product.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { createLoggedInShopper, logIn, readAuthStatus } from "../support/sessions.ts";
import {
  type ApiClient,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  shopper,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ApiClient;

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
});

const create = (body: object) => ask("POST", "/customers", { body });
const change = (id: string, body: object) => ask("PATCH", `/customers/${id}`, { body });
const ama = { name: "Ama", email: "Ama@Example.com", phone: "024 123 4567", tags: ["vip", "vip"] };

describe("POST /v1/businesses/{business_id}/customers", () => {
  it("creates a customer with normalized contacts that nobody has verified", async () => {
    const created = await create(ama);
    expect(created.status).toBe(201);
    const customer = dataOf(created);
    expect(customer).toEqual({
      id: expect.stringMatching(/^cus_/),
      name: "Ama",
      email: "ama@example.com",
      phone: "+233241234567",
      pending_email: null,
      pending_phone: null,
      email_verified_at: null,
      phone_verified_at: null,
      tags: ["vip"],
      is_tax_exempt: false,
      created_at: expect.any(String),
      updated_at: customer.created_at,
      erased_at: null,
    });
    expect(dataOf(await ask("GET", `/customers/${customer.id}`))).toEqual(customer);
    expect(dataOf(await ask("GET", "/customers?search=ama")).items).toEqual([customer]);
    expect(await listAuditActions(shop)).toEqual(["customer.created"]);
  });

  it("marks customers who pay no tax, which an erasure takes back", async () => {
    const { id } = dataOf(await create({ ...ama, is_tax_exempt: true }));
    expect(dataOf(await change(id, { name: "Abena" })).is_tax_exempt).toBe(true);
    expect(dataOf(await change(id, { is_tax_exempt: false })).is_tax_exempt).toBe(false);
    expect(dataOf(await change(id, { is_tax_exempt: true })).is_tax_exempt).toBe(true);
    const { items } = dataOf(await ask("GET", `/audit?entity=${id}`));
    expect(items[0]).toMatchObject({
      before: { is_tax_exempt: false },
      after: { is_tax_exempt: true },
    });
    const { customer } = dataOf(await ask("GET", `/customers/${id}/data`));
    expect(customer.is_tax_exempt).toBe(true);
    expect(dataOf(await ask("DELETE", `/customers/${id}/data`)).is_tax_exempt).toBe(false);
  });

  it.each([
    ["body", { tags: ["vip"] }],
    ["body", { name: null }],
    ["email", { email: "ama" }],
    ["phone", { phone: "12" }],
    ["tags.0", { name: "Ama", tags: ["a,b"] }],
    ["is_tax_exempt", { name: "Ama", is_tax_exempt: "yes" }],
  ])("rejects a wrong %s", async (field, body) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { error: { context: { field } } },
    });
  });

  it("rejects a contact of another customer, also under concurrent requests", async () => {
    await createLoggedInShopper(shop, "+233241234567");
    expect((await create({ phone: "0241234567" })).status).toBe(409);
    const answers = await Promise.all([1, 2, 3].map(() => create({ email: "ama@example.com" })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const neighbour = merchant(await createBusinessOnSameShard(shop));
    const elsewhere = await neighbour("POST", "/customers", { body: { phone: "0241234567" } });
    expect(elsewhere.status).toBe(201);
  });

  it("becomes the customer of the person who first logs in with a contact", async () => {
    const { id } = dataOf(await create(ama));
    const { customerId, ask: own } = await createLoggedInShopper(shop, "+233241234567");
    expect(customerId).toBe(id);
    expect((await readAuthStatus(own)).customer).toEqual({
      id,
      name: "Ama",
      email: "ama@example.com",
      phone: "+233241234567",
      pending_email: null,
      pending_phone: null,
    });
    expect(dataOf(await ask("GET", `/customers/${id}`))).toMatchObject({
      tags: ["vip"],
      email_verified_at: null,
      phone_verified_at: expect.any(String),
    });
    const other = await createLoggedInShopper(shop, "ama@example.com");
    expect(other.customerId).not.toBe(id);
  });

  it("gets the guest orders of the contact", async () => {
    const { id: productId } = await createProduct(shop);
    const fields = { customer: { phone: "0241234567" } };
    const order = await createOrder(shop, productId, { payWith: "cash", fields });
    const { id } = dataOf(await create(ama));
    await createLoggedInShopper(shop, "+233241234567");
    expect(dataOf(await ask("GET", `/orders?customer=${id}`)).items).toMatchObject([
      { id: order.id },
    ]);
  });

  it("stays unclaimed when a logged-in customer changes to its contact", async () => {
    const { id } = dataOf(await create(ama));
    const { customerId, ask: own } = await createLoggedInShopper(shop, "+233209999999");
    await own("POST", "/auth/profile", { body: { phone: "0241234567" } });
    await logIn(own, "+233241234567");
    expect(dataOf(await ask("GET", `/customers/${customerId}`))).toMatchObject({
      phone: "+233241234567",
      pending_phone: null,
    });
    expect(dataOf(await ask("GET", `/customers/${id}`))).toMatchObject({
      phone: "+233241234567",
      phone_verified_at: null,
    });
    expect((await createLoggedInShopper(shop, "ama@example.com")).customerId).toBe(id);
  });

  it("does not give a customer's changed contact to somebody else", async () => {
    const { id } = dataOf(await create({ phone: "0241234567" }));
    const { ask: own } = await createLoggedInShopper(shop, "+233241234567");
    await own("POST", "/auth/profile", { body: { email: "kofi@example.com" } });
    const kofi = await createLoggedInShopper(shop, "kofi@example.com");
    expect(kofi.customerId).not.toBe(id);
  });

  it("needs the write scope", async () => {
    const headers = { "X-API-Key": await createKey(shop, { scopes: ["customers:read"] }) };
    expect((await ask("POST", "/customers", { body: ama, headers })).status).toBe(403);
  });
});

describe("PATCH /v1/businesses/{business_id}/customers/{customer_id}", () => {
  it("changes only the fields that are sent; null clears one", async () => {
    const { id } = dataOf(await create(ama));
    const changed = await change(id, { name: "Ama M.", phone: null, tags: ["wholesale"] });
    expect(changed.status).toBe(200);
    expect(dataOf(changed)).toMatchObject({
      name: "Ama M.",
      email: "ama@example.com",
      phone: null,
      tags: ["wholesale"],
    });
    expect(dataOf(await ask("GET", `/customers/${id}`))).toEqual(dataOf(changed));
    expect(dataOf(await change(id, {}))).toEqual(dataOf(changed));
    expect(await listAuditActions(shop)).toEqual(["customer.created", "customer.updated"]);
  });

  it("keeps a verified contact as the login until the new one is verified", async () => {
    const { customerId, ask: own } = await createLoggedInShopper(shop, "+233241234567");
    const changed = dataOf(await change(customerId, { phone: "0209999999" }));
    expect(changed).toMatchObject({
      phone: "+233241234567",
      phone_verified_at: expect.any(String),
      pending_phone: "+233209999999",
    });
    expect(dataOf(await ask("GET", `/customers/${customerId}`))).toEqual(changed);
    expect((await createLoggedInShopper(shop, "+233241234567")).customerId).toBe(customerId);
    await logIn(own, "+233209999999");
    expect(dataOf(await ask("GET", `/customers/${customerId}`))).toMatchObject({
      phone: "+233209999999",
      pending_phone: null,
    });
  });

  it("takes a pending contact back, and clears a contact with what is pending", async () => {
    const { customerId } = await createLoggedInShopper(shop, "+233241234567");
    await change(customerId, { phone: "0209999999" });
    expect(dataOf(await change(customerId, { phone: "0241234567" }))).toMatchObject({
      phone_verified_at: expect.any(String),
      pending_phone: null,
    });
    await change(customerId, { phone: "0209999999" });
    const cleared = { phone: null, phone_verified_at: null, pending_phone: null };
    expect(dataOf(await change(customerId, { phone: null }))).toMatchObject(cleared);
    expect(dataOf(await ask("GET", `/customers/${customerId}`))).toMatchObject(cleared);
  });

  it("rejects another customer's contact and leaves the customer as it was", async () => {
    await createLoggedInShopper(shop, "+233241234567");
    const { id } = dataOf(await create({ name: "Kofi" }));
    expect((await change(id, { name: "K.", phone: "0241234567" })).status).toBe(409);
    expect(dataOf(await ask("GET", `/customers/${id}`))).toMatchObject({
      name: "Kofi",
      phone: null,
    });
  });

  it("does not find another business's or an erased customer", async () => {
    const { id } = dataOf(await create(ama));
    const neighbour = merchant(await createBusinessOnSameShard(shop));
    const body = { name: "Mine" };
    expect((await neighbour("PATCH", `/customers/${id}`, { body })).status).toBe(404);
    await ask("DELETE", `/customers/${id}/data`);
    expect((await change(id, body)).status).toBe(404);
    expect((await ask("POST", `/customers/${id}/notes`, { body: { text: "x" } })).status).toBe(404);
  });
});

describe("notes", () => {
  let order: PlacedOrder;
  beforeEach(async () => {
    const { id } = await createProduct(shop);
    const fields = { customer: { phone: "0209999999" } };
    order = await createOrder(shop, id, { payWith: "cash", fields });
  });

  const add = (path: string, text: string) => ask("POST", `${path}/notes`, { body: { text } });

  it.each(["customer", "order"])("of a %s are listed newest first, in pages", async (noun) => {
    const { id } = dataOf(await create(ama));
    const path = noun === "customer" ? `/customers/${id}` : `/orders/${order.number}`;
    const [first, second] = [await add(path, "First"), await add(path, "Second")];
    expect(first.status).toBe(201);
    expect(dataOf(first)).toEqual({
      id: expect.stringMatching(/^note_/),
      text: "First",
      author: expect.stringMatching(/^key_/),
      created_at: expect.any(String),
    });
    const page = dataOf(await ask("GET", `${path}/notes?limit=1`));
    expect(page.items).toEqual([dataOf(second)]);
    const next = encodeURIComponent(page.pagination.next_cursor);
    const rest = dataOf(await ask("GET", `${path}/notes?limit=1&cursor=${next}`));
    expect(rest).toMatchObject({ items: [dataOf(first)], pagination: { has_more: false } });
    expect(await listAuditActions(shop)).toContain(`${noun}.note_added`);
  });

  it.each(["", "   ", "x".repeat(4_001)])("reject a text of the wrong length", async (text) => {
    expect((await add(`/orders/${order.id}`, text)).status).toBe(400);
  });

  it("are not added to another business's customer or order", async () => {
    const { id } = dataOf(await create(ama));
    const neighbour = merchant(await createBusinessOnSameShard(shop));
    for (const path of [`/customers/${id}`, `/orders/${order.id}`, `/orders/${order.number}`]) {
      const body = { text: "Mine" };
      expect((await neighbour("POST", `${path}/notes`, { body })).status).toBe(404);
      expect((await neighbour("GET", `${path}/notes`)).status).toBe(404);
      expect(dataOf(await ask("GET", `${path}/notes`)).items).toEqual([]);
    }
  });

  it("and tags are exported with the customer's data and erased with it", async () => {
    const { id } = dataOf(await create(ama));
    await createLoggedInShopper(shop, "+233241234567");
    const { id: productId } = await createProduct(shop);
    const own = await createOrder(shop, productId, {
      payWith: "cash",
      fields: { customer: { phone: "0241234567" } },
    });
    await ask("PATCH", `/orders/${own.id}`, { body: { tags: ["gift"] } });
    await add(`/customers/${id}`, "Likes tea");
    await add(`/orders/${own.id}`, "Wrapped");
    await add(`/orders/${order.id}`, "Of another customer");
    const data = dataOf(await ask("GET", `/customers/${id}/data`));
    expect(data.notes).toMatchObject([
      { text: "Wrapped", subject_id: own.id },
      { text: "Likes tea", subject_id: id },
    ]);
    const erased = await ask("DELETE", `/customers/${id}/data`);
    expect(dataOf(erased).tags).toEqual([]);
    expect(dataOf(await ask("GET", `/orders/${own.id}/notes`)).items).toEqual([]);
    expect(dataOf(await ask("GET", `/orders/${own.id}`)).tags).toEqual([]);
    expect(dataOf(await ask("GET", `/orders/${order.id}/notes`)).items).toHaveLength(1);
  });
});

describe("PATCH /v1/businesses/{business_id}/orders/{order_id}", () => {
  it("replaces the tags; the shopper sees neither tags nor notes", async () => {
    const { id } = await createProduct(shop);
    const own = shopper(shop);
    const order = await createOrder(shop, id, { payWith: "cash", ask: own });
    const tagged = await ask("PATCH", `/orders/${order.number}`, {
      body: { tags: ["gift", "rush", "gift"] },
    });
    expect(tagged.status).toBe(200);
    expect(dataOf(tagged)).toMatchObject({ id: order.id, tags: ["gift", "rush"] });
    expect(dataOf(await ask("GET", `/orders/${order.id}`))).toEqual(dataOf(tagged));
    await ask("PATCH", `/orders/${order.id}`, { body: { tags: ["gift", "rush"] } });
    expect((await listAuditActions(shop)).filter((one) => one === "order.updated")).toHaveLength(1);
    const moved = await ask("POST", `/orders/${order.id}/status`, { body: { status: "ready" } });
    expect(dataOf(moved).tags).toEqual(["gift", "rush"]);
    await ask("POST", `/orders/${order.id}/notes`, { body: { text: "Wrapped" } });
    const shown = await own("GET", `/orders/${order.id}?token=${order.token}`);
    expect(shown.status).toBe(200);
    expect(JSON.stringify(shown.body)).not.toMatch(/gift|tags|Wrapped/);
  });
});
