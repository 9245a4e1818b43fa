import { beforeEach, expect, it, vi } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { merchantCatalogue } from "../../shared/catalogue/index.ts";
import type { Context } from "../../shared/database/index.ts";
import { archiveDeal } from "../../shared/deals/index.ts";
import { archiveMethod, archiveZone } from "../../shared/delivery/index.ts";
import { archiveTaxRate } from "../../shared/tax/index.ts";
import { contextFor, createBusiness, dataOf, merchant } from "../support/world.ts";

let shop: CreatedBusiness;
let ask: ReturnType<typeof merchant>;

// The clock is stopped, because two changes in one millisecond must still be distinguished.
beforeEach(async () => {
  vi.setSystemTime("2030-01-31T09:00:00Z");
  shop = await createBusiness();
  ask = merchant(shop);
});

/** A context that runs `action` before its first batch, so between the read and the write of a use case. */
function createInterruptedContext(action: () => Promise<unknown>): Context {
  const ctx = contextFor(shop);
  let hasRun = false;
  const batch: typeof ctx.db.batch = async (statements) => {
    if (!hasRun) await action();
    hasRun = true;
    return ctx.db.batch(statements);
  };
  return { ...ctx, db: Object.assign(Object.create(ctx.db), { batch }) };
}

const postRecord = async (path: string, body: object): Promise<string> =>
  dataOf(await ask("POST", path, { body })).id;

it.each([
  {
    path: "/deals",
    fields: async () => ({ discount_type: "percentage", value: "5" }),
    archive: archiveDeal,
  },
  {
    path: "/collections",
    fields: async () => ({ product_ids: [] }),
    archive: merchantCatalogue.archiveCollection,
  },
  {
    path: "/billing-plans",
    fields: async () => ({ interval: "month", price: "7" }),
    archive: merchantCatalogue.archiveBillingPlan,
  },
  {
    path: "/tax/rates",
    fields: async () => ({ country: "GH", rate_percent: "5" }),
    archive: archiveTaxRate,
  },
  {
    path: "/delivery/zones",
    fields: async () => ({ areas: [{ country: "GH" }] }),
    archive: archiveZone,
  },
  {
    path: "/delivery/methods",
    fields: async () => ({
      zone_id: await postRecord("/delivery/zones", { name: "Z", areas: [{ country: "GH" }] }),
      price: { type: "flat", amount: "1" },
    }),
    archive: archiveMethod,
  },
  { path: "/categories", fields: async () => ({}), archive: merchantCatalogue.archiveCategory },
  {
    path: "/attributes",
    fields: async () => ({
      ...{ key: "leaf", label: "Leaf", type: "text" },
      category_id: await postRecord("/categories", { name: "Tea" }),
    }),
    archive: merchantCatalogue.archiveAttribute,
  },
])(
  "archives the latest state of a record of $path that changes during the call",
  async ({ path, fields, archive }) => {
    const word = path === "/attributes" ? "label" : "name";
    const id = await postRecord(path, { ...(await fields()), [word]: "Ours" });
    const ctx = createInterruptedContext(async () => {
      const body = { [word]: "Theirs" };
      expect(await ask("PATCH", `${path}/${id}`, { body })).toMatchObject({ status: 200 });
    });
    await archive(ctx, id);
    const { items } = dataOf(await ask("GET", `/audit?entity=${id}`));
    const archived = items.filter(({ action }: { action: string }) => action.endsWith(".archived"));
    expect(archived).toMatchObject([{ before: { [word]: "Theirs" } }]);
  },
);
