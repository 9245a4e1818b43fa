import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createCustomer, eraseCustomer, phoneContact } from "../support/create-customer.ts";
import { createKey } from "../support/create-key.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  type ApiClient,
  createBusiness,
  createBusinessOnSameShard,
  dataOf,
  merchant,
  roundTrips,
} from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ApiClient;

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
});

const create = (body: object) => ask("POST", "/customer-groups", { body });
const change = (id: string, body: object) => ask("PATCH", `/customer-groups/${id}`, { body });
const read = async (id: string) => dataOf(await ask("GET", `/customer-groups/${id}`));

const createCustomers = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1)
    ids.push((await createCustomer(shop, phoneContact(`+23324123000${at}`))).id);
  return ids.sort();
};

/** Adds customers to the database directly, because thousands of calls would be slow. */
async function insertCustomers(count: number): Promise<string[]> {
  const rows = await selectRows(
    shop,
    `with recursive numbers(at) as (select 1 union all select at + 1 from numbers where at < ?)
     insert into customers (id, business_id, name, created_at, updated_at)
     select 'cus_' || ? || printf('%06d', at), ?, 'Ama', 1, 1 from numbers returning id`,
    count,
    shop.business.id,
    shop.business.id,
  );
  return rows.map(({ id }) => String(id)).sort();
}

const membersIn = async (id: string) =>
  selectRows(
    shop,
    `select customer_count as count, (select count(*) from customer_group_members where group_id = ?1) as members
     from customer_groups where id = ?1`,
    id,
  );

describe("/v1/businesses/{business_id}/customer-groups", () => {
  it("creates, changes, lists and archives a group, and audits each change", async () => {
    const [ama = "", kofi = "", esi = ""] = await createCustomers(3);
    const created = await create({ name: "VIP", customer_ids: [kofi, ama, kofi] });
    expect(created.status).toBe(201);
    const group = dataOf(created);
    expect(group).toEqual({
      id: expect.stringMatching(/^cgr_/),
      name: "VIP",
      customer_ids: [ama, kofi],
      created_at: expect.any(String),
      updated_at: group.created_at,
    });
    expect(await read(group.id)).toEqual(group);
    const renamed = await change(group.id, { name: "Regulars" });
    expect(renamed).toMatchObject({ status: 200 });
    expect(dataOf(renamed)).toMatchObject({ name: "Regulars", customer_ids: [ama, kofi] });
    const replaced = await change(group.id, { customer_ids: [kofi, esi] });
    expect(dataOf(replaced).customer_ids).toEqual([kofi, esi]);
    expect(await read(group.id)).toEqual(dataOf(replaced));
    expect(dataOf(await ask("GET", "/customer-groups")).items).toEqual([dataOf(replaced)]);
    for (const _ of [1, 2]) {
      const archived = await ask("DELETE", `/customer-groups/${group.id}`);
      expect(archived).toMatchObject({ status: 200, body: { data: { id: group.id } } });
    }
    expect(await ask("GET", `/customer-groups/${group.id}`)).toMatchObject({ status: 404 });
    expect(await change(group.id, { name: "Again" })).toMatchObject({ status: 404 });
    expect(dataOf(await ask("GET", "/customer-groups")).items).toEqual([]);
    const { items } = dataOf(await ask("GET", `/audit?entity=${group.id}`));
    expect(items).toMatchObject([
      { action: "customer_group.archived", before: { name: "Regulars", customer_count: 2 } },
      {
        action: "customer_group.updated",
        after: { added_customer_ids: [esi], removed_customer_ids: [ama] },
      },
      { action: "customer_group.updated", before: { name: "VIP" }, after: { name: "Regulars" } },
      {
        action: "customer_group.created",
        before: null,
        after: { name: "VIP", customer_count: 2, added_customer_ids: [ama, kofi] },
      },
    ]);
  });

  it("does not find a customer or a group that is unknown, erased or another business's", async () => {
    const other = await createBusinessOnSameShard(shop);
    const [theirs, gone] = [
      await createCustomer(other, phoneContact("+233241230001")),
      await createCustomer(shop, phoneContact("+233241230002")),
    ];
    await eraseCustomer(shop, gone.id);
    const { id } = dataOf(await create({ name: "VIP" }));
    for (const customer of ["cus_unknown", theirs.id, gone.id]) {
      const body = { name: "Mine", customer_ids: [customer] };
      const refusal = { status: 404, body: { error: { code: "NOT_FOUND" } } };
      expect(await create(body)).toMatchObject(refusal);
      expect(await change(id, body)).toMatchObject(refusal);
    }
    expect(await read(id)).toMatchObject({ name: "VIP", customer_ids: [] });
    expect(dataOf(await ask("GET", "/customer-groups")).items).toHaveLength(1);
    const asOther = merchant(other);
    for (const [method, options] of [
      ["GET", {}],
      ["PATCH", { body: {} }],
      ["DELETE", {}],
    ] as const)
      expect(await asOther(method, `/customer-groups/${id}`, options)).toMatchObject({
        status: 404,
      });
  });

  it.each([
    ["name", {}],
    ["name", { name: " " }],
    ["customer_ids", { name: "VIP", customer_ids: "all" }],
    ["customer_ids.0", { name: "VIP", customer_ids: [7] }],
    ["customer_ids", { name: "VIP", customer_ids: Array(10_001).fill("cus_x") }],
  ])("rejects a wrong %s", async (field, body) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
  });

  it("needs the scope customers", async () => {
    const post = async (scope: "catalogue:write" | "customers:read" | "customers:write") => {
      const headers = { "X-API-Key": await createKey(shop, { scopes: [scope] }) };
      const body = { name: "VIP" };
      return (await ask("POST", "/customer-groups", { body, headers })).status;
    };
    expect(await post("catalogue:write")).toBe(403);
    expect(await post("customers:read")).toBe(403);
    expect(await post("customers:write")).toBe(201);
  });

  it("keeps both of two concurrent changes", async () => {
    const [ama = "", kofi = ""] = await createCustomers(2);
    const { id } = dataOf(await create({ name: "VIP", customer_ids: [ama] }));
    await Promise.all([
      change(id, { name: "Regulars" }),
      change(id, { customer_ids: [ama, kofi] }),
    ]);
    expect(await read(id)).toMatchObject({ name: "Regulars", customer_ids: [ama, kofi] });
    expect(await membersIn(id)).toEqual([{ count: 2, members: 2 }]);
  });

  it("lets customers join and leave without the others' list, also at the same moment", async () => {
    const [ama = "", kofi = "", esi = ""] = await createCustomers(3);
    const { id } = dataOf(await create({ name: "VIP", customer_ids: [ama] }));
    await Promise.all([
      change(id, { add_customer_ids: [kofi, kofi] }),
      change(id, { add_customer_ids: [esi, ama] }),
      change(id, { remove_customer_ids: [ama, "cus_unknown"], name: "Friends" }),
    ]);
    const group = await read(id);
    expect(group).toMatchObject({ name: "Friends" });
    expect(group.customer_ids).toEqual(expect.arrayContaining([kofi, esi]));
    expect(dataOf(await change(id, { remove_customer_ids: [ama] })).customer_ids).toEqual([
      kofi,
      esi,
    ]);
    expect(await membersIn(id)).toEqual([{ count: 2, members: 2 }]);
    expect(await change(id, { add_customer_ids: ["cus_unknown"] })).toMatchObject({ status: 404 });
    expect(await change(id, { customer_ids: [], add_customer_ids: [ama] })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "customer_ids" } } },
    });
  });

  it("writes only the customers who join or leave a large group", async () => {
    const ids = await insertCustomers(10_000);
    const { id } = dataOf(await create({ name: "All", customer_ids: ids }));
    const changed = await change(id, { customer_ids: ids.slice(1) });
    expect(roundTrips(changed).d1).toBe(2);
    expect((await read(id)).customer_ids).toEqual(ids.slice(1));
    expect(await membersIn(id)).toEqual([{ count: 9_999, members: 9_999 }]);
    const [entry] = dataOf(await ask("GET", `/audit?entity=${id}`)).items;
    expect(entry).toMatchObject({
      before: { customer_count: 10_000 },
      after: { customer_count: 9_999, removed_customer_ids: [ids[0]], added_customer_ids: [] },
    });
  });

  it("ends a page early when its groups have many customers, and lists them all", async () => {
    const ids = await insertCustomers(10_000);
    for (const name of ["A", "B", "C", "D"]) await create({ name, customer_ids: ids });
    const first = dataOf(await ask("GET", "/customer-groups"));
    const namesOf = (items: readonly { name: string }[]) => items.map(({ name }) => name);
    expect(namesOf(first.items)).toEqual(["D", "C"]);
    expect(first.pagination.has_more).toBe(true);
    const next = encodeURIComponent(first.pagination.next_cursor);
    const second = dataOf(await ask("GET", `/customer-groups?cursor=${next}`));
    expect(namesOf(second.items)).toEqual(["B", "A"]);
    expect(second.pagination).toMatchObject({ has_more: false, next_cursor: null });
  });
});

describe("a customer's personal data", () => {
  it("name the groups, and an erasure removes the customer from them", async () => {
    const [ama = "", kofi = ""] = await createCustomers(2);
    const group = dataOf(await create({ name: "VIP", customer_ids: [ama, kofi] }));
    await create({ name: "Others", customer_ids: [kofi] });
    expect(dataOf(await ask("GET", `/customers/${ama}/data`)).customer_groups).toEqual([
      { id: group.id, name: "VIP", added_at: group.created_at },
    ]);
    for (const _ of [1, 2]) await ask("DELETE", `/customers/${ama}/data`);
    expect((await read(group.id)).customer_ids).toEqual([kofi]);
    expect(await membersIn(group.id)).toEqual([{ count: 1, members: 1 }]);
    expect(dataOf(await ask("GET", `/customers/${ama}/data`)).customer_groups).toEqual([]);
  });
});
