import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createVersionCache } from "../../shared/catalogue/index.ts";
import {
  createMeter,
  openDb,
  readTogether,
  shardsOf,
  shopOf,
} from "../../shared/database/index.ts";
import { createTaxRateCache, mostSpecificRates, placeOfTaxation } from "../../shared/tax/index.ts";
import { placeRatesQuery } from "../../shared/tax/place-rate-repo.ts";
import { selectRows } from "../support/select-rows.ts";
import {
  contextFor,
  createBusiness,
  createBusinessOnSameShard,
  merchant,
} from "../support/world.ts";

const vat = { name: "VAT", country: "US", rate_percent: "8" };

const placeAt = (shop: Awaited<ReturnType<typeof createBusiness>>, postal_code: string) =>
  placeOfTaxation(shop.business, {
    address: { country: "us", region: "Volta", postal_code },
    locationId: null,
  });

it("finds the rates of a place once for each catalogue version", async () => {
  const shop = await createBusiness();
  const ask = merchant(shop);
  for (const body of [
    vat,
    { ...vat, region: " VOLTA ", rate_percent: "9" },
    { ...vat, name: "Levy", postal_code_prefix: "941" },
    { ...vat, name: "Other", postal_code_prefix: "942" },
    { ...vat, name: "Idle", is_active: false },
  ])
    await ask("POST", "/tax/rates", { body });
  await merchant(await createBusinessOnSameShard(shop))("POST", "/tax/rates", {
    body: { ...vat, name: "Foreign" },
  });
  const rates = createTaxRateCache(createVersionCache());
  const place = placeAt(shop, "941 05");
  const find = async () => {
    const meter = createMeter();
    const db = openDb(shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business), meter);
    const found = await rates.find({ ...contextFor(shop), db }, place);
    const names = mostSpecificRates(found, place).map(
      ({ name, ratePercent }) => `${name} ${ratePercent}`,
    );
    return { names, trips: meter.d1 };
  };
  expect(await find()).toEqual({ names: ["VAT 9", "Levy 8"], trips: 1 });
  expect(await find()).toMatchObject({ trips: 0 });
  expect(rates.peek(contextFor(shop), place)).toHaveLength(3);

  await ask("POST", "/tax/rates", { body: { ...vat, name: "New" } });
  const ctx = contextFor(shop);
  const prefetch = rates.prefetchCurrent(ctx, place);
  const read = { queries: prefetch.queries, parse: (rows: readonly unknown[]) => rows };
  const [results = []] = await readTogether(ctx.db, [read]);
  prefetch.receive(results, 6);
  expect(mostSpecificRates(prefetch.received() ?? [], place).map(({ name }) => name)).toEqual([
    "VAT",
    "Levy",
    "New",
  ]);
});

it("reads only the rates of a place among 1,000, by a search in an index", async () => {
  const shop = await createBusiness();
  const place = placeAt(shop, "94105");
  const { sql, params } = placeRatesQuery(contextFor(shop), place).toSQL();
  await selectRows(
    shop,
    `insert into tax_rates (id, business_id, tax_class, name, country, name_key, region_key, postal_key,
       rate_percent, applies_to_delivery, is_active, created_at, updated_at)
     select ?1 || value, ?1, 'standard', 'VAT', 'US', 'VAT', iif(value % 2, 'VOLTA', ''), 93705 + value,
       '8', 0, 1, 0, 0 from json_each(?2)`,
    shop.business.id,
    JSON.stringify(Array.from({ length: 1_000 }, (_, index) => index)),
  );
  const { results, meta } = await shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business)
    .prepare(sql)
    .bind(...params)
    .all();
  expect(results).toHaveLength(1);
  expect(meta.rows_read).toBeLessThan(60);
  const plan = await selectRows(shop, `explain query plan ${sql}`, ...params);
  expect(plan.map(({ detail }) => detail).join("\n")).toContain(
    "SEARCH tax_rates USING INDEX tax_rates_of_place (business_id=? AND country=? AND region_key=? AND postal_key=?)",
  );
});
