import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

// Added to the generated migrations by hand: drizzle-kit would drop it without reporting drift.
it("stores facets, asset counts, deal targets and occupied ranges under their primary key alone", async () => {
  const { results } = await env.SHOP_1.prepare(
    `select name from pragma_table_list where schema = 'main' and wr = 1
      and name not like '%\\_search\\_%' escape '\\' order by name`,
  ).all();
  expect(results.map(({ name }) => name)).toEqual([
    "asset_counts",
    "deal_targets",
    "occupied_ranges",
    "product_facet_counts",
    "product_facets",
  ]);
});
