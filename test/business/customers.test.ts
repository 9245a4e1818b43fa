import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createCustomer, emailContact, phoneContact } from "../support/create-customer.ts";
import { createKey } from "../support/create-key.ts";
import {
  type ApiResponse,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
});

const namesOf = (answer: ApiResponse) =>
  dataOf(answer).items.map(({ name }: { name: string }) => name);

const search = async (text: string) =>
  namesOf(await ask("GET", `/customers?search=${encodeURIComponent(text)}`));

describe("GET /v1/businesses/{business_id}/customers", () => {
  it("lists the newest first, in pages", async () => {
    for (const name of ["Ama", "Kofi", "Esi"])
      await createCustomer(shop, emailContact(`${name.toLowerCase()}@example.com`), { name });
    const first = await ask("GET", "/customers?limit=2");
    expect(first).toMatchObject({
      status: 200,
      body: { data: { pagination: { has_more: true } } },
    });
    expect(namesOf(first)).toEqual(["Esi", "Kofi"]);
    expect(roundTrips(first).d1).toBeLessThanOrEqual(2);
    const next = encodeURIComponent(dataOf(first).pagination.next_cursor);
    const second = await ask("GET", `/customers?limit=2&cursor=${next}`);
    expect(namesOf(second)).toEqual(["Ama"]);
    expect(dataOf(second).pagination).toMatchObject({ has_more: false, next_cursor: null });
  });

  it("finds customers by prefixes of name words, e-mail and phone", async () => {
    const ama = emailContact("ama.m@example.com");
    await createCustomer(shop, ama, { name: "Ama Mensáh", phone: "+233241234567" });
    await createCustomer(shop, emailContact("kofi@shop.example"), { name: "Kofi Annan" });
    for (const text of ["mensah", "Men", "ama men", "AMA.M@example.com", "ama.m@ex"])
      expect(await search(text)).toEqual(["Ama Mensáh"]);
    for (const text of ["+233241234567", "0241234567", "024 123 4567", "+233 24 12", "23324"])
      expect(await search(text)).toEqual(["Ama Mensáh"]);
    expect(await search("example")).toEqual(["Kofi Annan", "Ama Mensáh"]);
    for (const text of ["ama annan", "nobody", "!!!", '" OR name : *'])
      expect(await search(text)).toEqual([]);
  });

  it("finds a customer by changed contact data", async () => {
    const contact = emailContact("ama@example.com");
    await createCustomer(shop, contact, { name: "Ama" });
    await createCustomer(shop, contact, { name: "Abena" });
    expect(await search("ama@example.com")).toEqual(["Abena"]);
    expect(await search("abe")).toEqual(["Abena"]);
  });

  it("does not show customers of another business", async () => {
    const neighbour = await createBusinessOnSameShard(shop);
    const theirs = await createCustomer(neighbour, emailContact("ama@example.com"), {
      name: "Ama",
    });
    expect(namesOf(await ask("GET", "/customers"))).toEqual([]);
    expect(await search("ama")).toEqual([]);
    for (const [method, path] of [
      ["GET", `/customers/${theirs.id}`],
      ["GET", `/customers/${theirs.id}/data`],
      ["DELETE", `/customers/${theirs.id}/data`],
      ["GET", "/customers/cus_none"],
      ["GET", "/customers/cus_none/data"],
      ["DELETE", "/customers/cus_none/data"],
    ] as const)
      expect(await ask(method, path)).toMatchObject({
        status: 404,
        body: { error: { code: "NOT_FOUND", message: "No such customer." } },
      });
    expect(await merchant(neighbour)("GET", `/customers/${theirs.id}`)).toMatchObject({
      body: { data: { name: "Ama" } },
    });
  });

  it("requires the scope and rejects invalid fields by name", async () => {
    const { id } = await createCustomer(shop, phoneContact("+233241234567"));
    const reader = { "X-API-Key": await createKey(shop, { scopes: ["customers:read"] }) };
    const keyWithoutScope = { "X-API-Key": await createKey(shop, { scopes: ["orders:read"] }) };
    expect(await ask("GET", "/customers", { headers: reader })).toMatchObject({ status: 200 });
    expect(await ask("GET", "/customers", { headers: keyWithoutScope })).toMatchObject({
      status: 403,
    });
    expect(await ask("DELETE", `/customers/${id}/data`, { headers: reader })).toMatchObject({
      status: 403,
    });
    expect(await ask("GET", "/customers?search=")).toMatchObject({
      status: 400,
      body: { error: { context: { field: "search" } } },
    });
    expect(await ask("GET", "/customers?cursor=!")).toMatchObject({ status: 400 });
  });

  it("uses an index for the list and for the search", async () => {
    const planOf = async (query: string) =>
      (await env.SHOP_1.prepare(`explain query plan ${query}`).all()).results
        .map(({ detail }) => String(detail))
        .join("\n");
    expect(
      await planOf(
        "select * from customers where business_id = 'b' and erased_at is null and id < 'c' order by id desc limit 20",
      ),
    ).toMatch(/^SEARCH customers USING INDEX customers_newest \(business_id=\? AND id<\?\)$/);
    const found = await planOf(
      `select * from customers where +business_id = 'b' and customers.rowid in
        (select rowid from customer_search where customer_search match 'name : "a" *') and erased_at is null order by id desc limit 20`,
    );
    expect(found).toMatch(/SEARCH customers USING INTEGER PRIMARY KEY \(rowid=\?\)/);
    expect(found).toMatch(/customer_search VIRTUAL TABLE INDEX/);
  });
});

describe("GET /v1/businesses/{business_id}/customers/{customer_id}", () => {
  it("returns the customer and which contacts are verified", async () => {
    const { id } = await createCustomer(shop, phoneContact("+233241234567"), {
      name: "Ama",
      email: "ama@example.com",
    });
    const answer = await ask("GET", `/customers/${id}`);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        success: true,
        data: {
          id,
          name: "Ama",
          email: "ama@example.com",
          phone: "+233241234567",
          email_verified_at: null,
          phone_verified_at: expect.stringMatching(/Z$/),
          created_at: expect.stringMatching(/Z$/),
          erased_at: null,
        },
      },
    });
    expect(roundTrips(answer).d1).toBeLessThanOrEqual(2);
  });
});
