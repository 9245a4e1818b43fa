import { beforeEach, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { createDeal } from "../support/create-deal.ts";
import { createProduct } from "../support/create-product.ts";
import { listAuditActions } from "../support/row-counts.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness, dataOf, merchant } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

beforeEach(async () => {
  shop = await createBusiness();
  ask = merchant(shop);
});

const fields = { name: "Summer", discount_type: "percentage", value: "12.5" };

const create = (body: object = {}) => ask("POST", "/deals", { body: { ...fields, ...body } });

const traces = async () => [
  await selectRows(shop, "select * from deals where business_id = ?", shop.business.id),
  await selectRows(shop, "select * from audit_entries where business_id = ?", shop.business.id),
  await version(),
];

const version = async () => {
  const [row] = await selectRows(
    shop,
    "select version from catalogue_versions where business_id = ?",
    shop.business.id,
  );
  return row?.version ?? 0;
};

describe("/v1/businesses/{business_id}/deals", () => {
  it("creates a deal with all fields and with only the required ones", async () => {
    const product = await createProduct(shop);
    const full = {
      code: "Summer-24",
      name: "Summer",
      description: "All of June",
      discount_type: "fixed_amount",
      value: "5.00",
      min_order_subtotal: "20.00",
      max_discount: "4.00",
      applies_to: { scope: "product", ids: [product.id] },
      starts_at: "2026-06-01T00:00:00.000Z",
      ends_at: "2026-07-01T00:00:00.000Z",
      usage_limit: 100,
      per_customer_limit: 2,
      is_active: false,
    };
    const before = Number(await version());
    const created = await create(full);
    expect(created).toMatchObject({ status: 201 });
    expect(dataOf(created)).toEqual({
      ...full,
      buy_quantity: null,
      buy_scope: null,
      get_quantity: null,
      get_scope: null,
      percent: null,
      max_uses_per_order: null,
      tiers: null,
      combines_with: null,
      customer_group_ids: null,
      id: expect.stringMatching(/^deal_/),
      times_redeemed: 0,
    });
    expect(await version()).toBe(before + 1);
    expect(await ask("GET", `/deals/${dataOf(created).id}`)).toMatchObject({
      status: 200,
      body: { data: dataOf(created) },
    });
    expect(dataOf(await create())).toMatchObject({
      code: null,
      value: "12.5",
      min_order_subtotal: null,
      applies_to: { scope: "order", ids: [] },
      usage_limit: null,
      is_active: true,
    });
  });

  it("updates the given fields, archives, and audits both", async () => {
    const { id } = dataOf(await create({ code: "A" }));
    const before = Number(await version());
    expect(await ask("PATCH", `/deals/${id}`, { body: { value: 20, code: null } })).toMatchObject({
      status: 200,
      body: { data: { value: "20", code: null, name: "Summer", discount_type: "percentage" } },
    });
    for (const _ of [1, 2]) {
      expect(await ask("DELETE", `/deals/${id}`)).toMatchObject({
        status: 200,
        body: { data: { id } },
      });
    }
    expect(await version()).toBe(before + 2);
    expect(await listAuditActions(shop)).toEqual(
      expect.arrayContaining(["deal.created", "deal.updated", "deal.archived"]),
    );
    expect(await ask("GET", `/deals/${id}`)).toMatchObject({ status: 404 });
    expect(await ask("PATCH", `/deals/${id}`, { body: { value: "5" } })).toMatchObject({
      status: 404,
    });
  });

  it("lists deals newest first, in pages", async () => {
    for (const name of ["A", "B", "C"]) await create({ name });
    const first = dataOf(await ask("GET", "/deals?limit=2"));
    expect(first.items.map(({ name }: { name: string }) => name)).toEqual(["C", "B"]);
    const next = encodeURIComponent(first.pagination.next_cursor);
    const second = dataOf(await ask("GET", `/deals?limit=2&cursor=${next}`));
    expect(second.items.map(({ name }: { name: string }) => name)).toEqual(["A"]);
    expect(second.pagination.has_more).toBe(false);
  });

  it("lists the deals of a status, and those whose code or name a search finds", async () => {
    const [past, soon] = ["2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"];
    await create({ name: "Switched off", is_active: false, ends_at: past });
    await create({ name: "Last summer", ends_at: past });
    await create({ name: "First hundred", code: "SPRINGTIME", usage_limit: 1 });
    await create({ name: "Next_winter sale", code: "WINTER", starts_at: soon });
    await create({ name: "Everyday 10% sale" });
    await selectRows(shop, "update deals set times_redeemed = 1 where code = 'SPRINGTIME'");
    const namesOf = async (query: string) =>
      dataOf(await ask("GET", `/deals?${query}`)).items.map(({ name }: { name: string }) => name);
    expect(await namesOf("status=inactive")).toEqual(["Switched off"]);
    expect(await namesOf("status=ended")).toEqual(["Last summer"]);
    expect(await namesOf("status=used_up")).toEqual(["First hundred"]);
    expect(await namesOf("status=scheduled")).toEqual(["Next_winter sale"]);
    expect(await namesOf("status=active&limit=1")).toEqual(["Everyday 10% sale"]);
    expect(await namesOf("search=spring")).toEqual(["First hundred"]);
    expect(await namesOf("search=SALE%20next")).toEqual(["Next_winter sale"]);
    expect(await namesOf("search=win")).toEqual(["Next_winter sale"]);
    expect(await namesOf("search=10%25")).toEqual(["Everyday 10% sale"]);
    expect(await namesOf("search=%25")).toEqual([]);
    expect(await namesOf("search=sale&status=ended")).toEqual([]);
  });

  it("allows a code for one active deal of a business, ignoring case", async () => {
    const { id } = dataOf(await create({ code: "Summer" }));
    expect(await create({ code: "SUMMER" })).toMatchObject({
      status: 409,
      body: { error: { code: "CONFLICT" } },
    });
    expect(
      await merchant(await createBusiness())("POST", "/deals", {
        body: { ...fields, code: "SUMMER" },
      }),
    ).toMatchObject({ status: 201 });
    await ask("DELETE", `/deals/${id}`);
    expect(await create({ code: "SUMMER" })).toMatchObject({ status: 201 });
  });

  it("lets exactly one of many concurrent requests use a code", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ code: "RACE" })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  });

  it.each([
    { body: { name: "" }, field: "name" },
    { body: { code: "two words" }, field: "code" },
    { body: { discount_type: "gift" }, field: "discount_type" },
    { body: { value: "0" }, field: "value" },
    { body: { value: "100.5" }, field: "value" },
    { body: { value: "-1" }, field: "value" },
    { body: { discount_type: "fixed_amount", value: "1.005" }, field: "value" },
    { body: { min_order_subtotal: "-1" }, field: "min_order_subtotal" },
    { body: { max_discount: "1.005" }, field: "max_discount" },
    { body: { usage_limit: 0 }, field: "usage_limit" },
    { body: { per_customer_limit: 1.5 }, field: "per_customer_limit" },
    { body: { starts_at: "June" }, field: "starts_at" },
    {
      body: { starts_at: "2026-06-01T00:00:00Z", ends_at: "2026-06-01T00:00:00Z" },
      field: "ends_at",
    },
    { body: { applies_to: { scope: "shop" } }, field: "applies_to.scope" },
    { body: { applies_to: { scope: "order", ids: ["prod_x"] } }, field: "applies_to.ids" },
    { body: { applies_to: { scope: "product", ids: [] } }, field: "applies_to.ids" },
    { body: { applies_to: { scope: "product", ids: ["prod_x"] } }, field: "applies_to.ids" },
    { body: { applies_to: { scope: "category", ids: ["cat_x"] } }, field: "applies_to.ids" },
    { body: { applies_to: { scope: "collection", ids: ["col_x"] } }, field: "applies_to.ids" },
  ])("rejects $body with the field $field and stores nothing", async ({ body, field }) => {
    const before = await traces();
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { error: { code: "VALIDATION_ERROR", context: { field } } },
    });
    expect(await traces()).toEqual(before);
  });

  it("rejects another business's product, a type without a value and a limit below the redemptions", async () => {
    const theirs = await createProduct(await createBusiness());
    expect(await create({ applies_to: { scope: "product", ids: [theirs.id] } })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "applies_to.ids" } } },
    });
    const { id } = dataOf(await create({ usage_limit: 5 }));
    await selectRows(shop, "update deals set times_redeemed = 3 where id = ? returning id", id);
    const before = await traces();
    const patch = (body: object) => ask("PATCH", `/deals/${id}`, { body });
    expect(await patch({ discount_type: "fixed_amount" })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "value" } } },
    });
    expect(await patch({ usage_limit: 2 })).toMatchObject({
      status: 400,
      body: { error: { context: { field: "usage_limit" } } },
    });
    expect(await traces()).toEqual(before);
    expect(await patch({ usage_limit: 3 })).toMatchObject({
      status: 200,
      body: { data: { usage_limit: 3, times_redeemed: 3 } },
    });
  });

  it("does not find another business's deal", async () => {
    const { id } = await createDeal(await createBusiness(), { code: "THEIRS" });
    for (const [method, body] of [["GET"], ["PATCH", {}], ["DELETE"]] as const) {
      expect(await ask(method, `/deals/${id}`, body && { body })).toMatchObject({ status: 404 });
    }
    expect(dataOf(await ask("GET", "/deals")).items).toEqual([]);
  });

  it("keeps both of two concurrent updates", async () => {
    const { id } = dataOf(await create());
    await Promise.all([
      ask("PATCH", `/deals/${id}`, { body: { name: "Autumn" } }),
      ask("PATCH", `/deals/${id}`, { body: { value: "30" } }),
    ]);
    expect(dataOf(await ask("GET", `/deals/${id}`))).toMatchObject({ name: "Autumn", value: "30" });
  });
});
