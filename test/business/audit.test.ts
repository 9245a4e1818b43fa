import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { givenBusiness, merchant } from "../support/world.ts";
import { at, givenKey, refusal, success } from "./given.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A merchant who renamed the shop to A, B and C, a second apart. */
async function renamedThrice() {
  const shop = await givenBusiness();
  const ask = merchant(shop);
  const start = Date.now();
  for (const [index, name] of ["A", "B", "C"].entries()) {
    vi.setSystemTime(start + index * 1_000);
    await ask("PATCH", "", { body: { name } });
  }
  return { shop, ask, start };
}

const names = (answer: Awaited<ReturnType<ReturnType<typeof merchant>>>) => {
  const items = at(answer, "data.items");
  return Array.isArray(items) ? items.map(({ after }) => after.name) : [];
};

describe("GET /v1/businesses/{business_id}/audit", () => {
  it("lists the changes, the latest first, page by page", async () => {
    const { shop, ask, start } = await renamedThrice();
    const first = await ask("GET", "/audit?limit=2");
    expect(names(first)).toEqual(["C", "B"]);
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
    const rest = await ask(
      "GET",
      `/audit?limit=2&cursor=${at(first, "data.pagination.next_cursor")}`,
    );
    expect(names(rest)).toEqual(["A"]);
    expect(rest.body).toMatchObject(
      success({ pagination: { next_cursor: null, has_more: false } }),
    );
  });

  it("finds by entity, by actor and by time, both ends counted, in any offset", async () => {
    const { shop, ask, start } = await renamedThrice();
    const all = await ask("GET", "/audit");
    const actor = at(all, "data.items.0.actor");
    const from = new Date(start + 1_000).toISOString().replace("Z", "%2B00:00");
    const to = new Date(start + 1_000).toISOString();
    const unencoded = to.replace("Z", "+00:00");
    const found = async (query: string) => names(await ask("GET", `/audit?${query}`));

    expect(await found(`entity=${shop.business.id}`)).toEqual(["C", "B", "A"]);
    expect(await found("entity=biz_other")).toEqual([]);
    expect(await found(`actor=${actor}`)).toEqual(["C", "B", "A"]);
    expect(await found("actor=operator")).toEqual([]);
    expect(await found(`from=${from}`)).toEqual(["C", "B"]);
    expect(await found(`from=${from}&to=${to}`)).toEqual(["B"]);
    expect(await found(`from=${unencoded}&to=${unencoded}`)).toEqual(["B"]);
  });

  it("shows nothing of another business", async () => {
    await renamedThrice();
    const answer = await merchant(await givenBusiness())("GET", "/audit");
    expect(answer.body).toMatchObject(success({ items: [] }));
  });

  it.each(["from=yesterday", "to=2026-01-32", "limit=101", "cursor=abc"])(
    "refuses %s",
    async (query) => {
      const refused = await merchant(await givenBusiness())("GET", `/audit?${query}`);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject(
        refusal("VALIDATION_ERROR", { context: { field: query.split("=")[0] } }),
      );
    },
  );

  it("refuses a foreign key (403), a publishable one (401) and one without the scope (403)", async () => {
    const shop = await givenBusiness();
    const { keys } = await givenBusiness();
    const narrow = await givenKey(shop, { scopes: ["settings:write"] });
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
  it("says amounts and times as every answer does, and what the merchant named to the letter", async () => {
    const ask = merchant(await givenBusiness());
    const properties = { leafSize: 1, price_minor: 2, pickedAt: 3 };
    const made = await ask("POST", "/products", {
      body: {
        name: "Assam",
        default_price: "3.5",
        featured: true,
        properties,
        add_ons: [{ name: "Milk", options: [{ name: "Oat", price: "0.5" }] }],
      },
    });
    const id = at(made, "data.id");
    const changed = await ask("PATCH", `/products/${id}`, { body: { default_price: "4" } });
    expect(changed.status).toBe(200);
    const read = {
      featured: true,
      properties,
      created_at: at(made, "data.created_at"),
      add_ons: [{ options: [{ name: "Oat", price: "0.50" }] }],
    };
    expect((await ask("GET", `/audit?entity=${id}`)).body).toMatchObject(
      success({
        items: [
          {
            action: "product.updated",
            before: { ...read, default_price: "3.50" },
            after: { ...read, default_price: "4.00" },
          },
          { action: "product.created", before: null, after: { ...read, default_price: "3.50" } },
        ],
      }),
    );
  });

  it("says an amount in its own currency's decimals", async () => {
    const ask = merchant(await givenBusiness({ currency: "JPY" }));
    const body = { name: "Tea", default_price: "350" };
    await ask("POST", "/products", { body });
    expect((await ask("GET", "/audit")).body).toMatchObject(success({ items: [{ after: body }] }));
  });
});
