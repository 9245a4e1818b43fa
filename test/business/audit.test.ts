import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKey } from "../support/create-key.ts";
import { refusal, success, valueAt } from "../support/responses.ts";
import { type ApiResponse, createBusiness, merchant } from "../support/world.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Creates a business and renames it to A, B and C, a second apart. */
async function createRenamedBusiness() {
  const shop = await createBusiness();
  const ask = merchant(shop);
  const start = Date.now();
  for (const [index, name] of ["A", "B", "C"].entries()) {
    vi.setSystemTime(start + index * 1_000);
    await ask("PATCH", "", { body: { name } });
  }
  return { shop, ask, start };
}

const namesIn = (response: ApiResponse) => {
  const items = valueAt(response, "data.items");
  return Array.isArray(items) ? items.map(({ after }) => after.name) : [];
};

describe("GET /v1/businesses/{business_id}/audit", () => {
  it("lists the changes in pages, latest first", async () => {
    const { shop, ask, start } = await createRenamedBusiness();
    const first = await ask("GET", "/audit?limit=2");
    expect(namesIn(first)).toEqual(["C", "B"]);
    expect(first.body).toMatchObject(
      success({
        items: [
          {
            id: expect.stringMatching(/^aud_/),
            at: new Date(start + 2_000).toISOString(),
            actor: expect.stringMatching(/^key_/),
            action: "business.updated",
            entity: shop.business.id,
          },
          {},
        ],
        pagination: { limit: 2, has_more: true },
      }),
    );
    const second = await ask(
      "GET",
      `/audit?limit=2&cursor=${valueAt(first, "data.pagination.next_cursor")}`,
    );
    expect(namesIn(second)).toEqual(["A"]);
    expect(second.body).toMatchObject(
      success({ pagination: { next_cursor: null, has_more: false } }),
    );
  });

  it("filters by entity, actor and time, including both ends, in any UTC offset", async () => {
    const { shop, ask, start } = await createRenamedBusiness();
    const all = await ask("GET", "/audit");
    const actor = valueAt(all, "data.items.0.actor");
    const from = new Date(start + 1_000).toISOString().replace("Z", "%2B00:00");
    const to = new Date(start + 1_000).toISOString();
    const unencoded = to.replace("Z", "+00:00");
    const listNames = async (query: string) => namesIn(await ask("GET", `/audit?${query}`));

    expect(await listNames(`entity=${shop.business.id}`)).toEqual(["C", "B", "A"]);
    expect(await listNames("entity=biz_other")).toEqual([]);
    expect(await listNames(`actor=${actor}`)).toEqual(["C", "B", "A"]);
    expect(await listNames("actor=operator")).toEqual([]);
    expect(await listNames(`from=${from}`)).toEqual(["C", "B"]);
    expect(await listNames(`from=${from}&to=${to}`)).toEqual(["B"]);
    expect(await listNames(`from=${unencoded}&to=${unencoded}`)).toEqual(["B"]);
  });

  it("lists no changes of another business", async () => {
    await createRenamedBusiness();
    const answer = await merchant(await createBusiness())("GET", "/audit");
    expect(answer.body).toMatchObject(success({ items: [] }));
  });

  it.each(["from=yesterday", "to=2026-01-32", "limit=101", "cursor=abc"])(
    "refuses %s",
    async (query) => {
      const refused = await merchant(await createBusiness())("GET", `/audit?${query}`);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: query.split("=")[0] } }),
      );
    },
  );

  it("refuses another business's key (403), a publishable key (401) and a key without the scope (403)", async () => {
    const shop = await createBusiness();
    const { keys } = await createBusiness();
    const narrow = await createKey(shop, { scopes: ["settings:write"] });
    const statuses = await Promise.all(
      [keys.secret, shop.keys.publishable, narrow].map(async (secret) => {
        const ask = merchant({ ...shop, keys: { ...shop.keys, secret } });
        return (await ask("GET", "/audit")).status;
      }),
    );
    expect(statuses).toEqual([403, 401, 403]);
  });
});

describe("an audit entry", () => {
  it("has wire amounts and times, and the merchant's own keys unchanged", async () => {
    const ask = merchant(await createBusiness());
    const properties = { leafSize: 1, price_minor: 2, pickedAt: 3 };
    const created = await ask("POST", "/products", {
      body: {
        name: "Assam",
        default_price: "3.5",
        featured: true,
        properties,
        add_ons: [{ name: "Milk", options: [{ name: "Oat", price: "0.5" }] }],
      },
    });
    const id = valueAt(created, "data.id");
    const changed = await ask("PATCH", `/products/${id}`, { body: { default_price: "4" } });
    expect(changed.status).toBe(200);
    const expected = {
      featured: true,
      properties,
      created_at: valueAt(created, "data.created_at"),
      add_ons: [{ options: [{ name: "Oat", price: "0.50" }] }],
    };
    expect((await ask("GET", `/audit?entity=${id}`)).body).toMatchObject(
      success({
        items: [
          {
            action: "product.updated",
            before: { ...expected, default_price: "3.50" },
            after: { ...expected, default_price: "4.00" },
          },
          {
            action: "product.created",
            before: null,
            after: { ...expected, default_price: "3.50" },
          },
        ],
      }),
    );
  });

  it("has amounts in the decimals of their currency", async () => {
    const ask = merchant(await createBusiness({ currency: "JPY" }));
    const body = { name: "Tea", default_price: "350" };
    await ask("POST", "/products", { body });
    expect((await ask("GET", "/audit")).body).toMatchObject(success({ items: [{ after: body }] }));
  });
});
