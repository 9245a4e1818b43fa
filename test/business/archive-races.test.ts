import { beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import {
  archiveAttribute,
  archiveBillingPlan,
  archiveCategory,
  archiveCollection,
} from "../../shared/catalogue/index.ts";
import type { Context } from "../../shared/database/index.ts";
import { archiveDeal } from "../../shared/deals/index.ts";
import { dataOf } from "../support/orders.ts";
import { contextFor, givenBusiness, merchant } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

// The clock stands still: two changes of one millisecond are two changes all the same.
beforeEach(async () => {
  vi.setSystemTime("2030-01-31T09:00:00Z");
  shop = await givenBusiness();
  ask = merchant(shop);
});

/** As the use cases have it; something happens between what the first of them read and what it writes. */
function interrupted(happens: () => Promise<unknown>): Context {
  const ctx = contextFor(shop);
  let isOver = false;
  const batch: typeof ctx.db.batch = async (statements) => {
    if (!isOver) await happens();
    isOver = true;
    return ctx.db.batch(statements);
  };
  return { ...ctx, db: Object.assign(Object.create(ctx.db), { batch }) };
}

const created = async (path: string, body: object): Promise<string> =>
  dataOf(await ask("POST", path, { body })).id;

it.each([
  {
    path: "/deals",
    fields: async () => ({ discount_type: "percentage", value: "5" }),
    archive: archiveDeal,
  },
  { path: "/collections", fields: async () => ({ product_ids: [] }), archive: archiveCollection },
  {
    path: "/billing-plans",
    fields: async () => ({ interval: "month", price: "7" }),
    archive: archiveBillingPlan,
  },
  { path: "/categories", fields: async () => ({}), archive: archiveCategory },
  {
    path: "/attributes",
    fields: async () => ({
      ...{ key: "leaf", label: "Leaf", type: "text" },
      category_id: await created("/categories", { name: "Tea" }),
    }),
    archive: archiveAttribute,
  },
])(
  "what is changed while it is archived, of $path, is archived as it was left",
  async ({ path, fields, archive }) => {
    const word = path === "/attributes" ? "label" : "name";
    const id = await created(path, { ...(await fields()), [word]: "Ours" });
    const ctx = interrupted(async () => {
      const body = { [word]: "Theirs" };
      expect(await ask("PATCH", `${path}/${id}`, { body })).toMatchObject({ status: 200 });
    });
    await archive(ctx, id);
    const { items } = dataOf(await ask("GET", `/audit?entity=${id}`));
    const archived = items.filter(({ action }: { action: string }) => action.endsWith(".archived"));
    expect(archived).toMatchObject([{ before: { [word]: "Theirs" } }]);
  },
);
