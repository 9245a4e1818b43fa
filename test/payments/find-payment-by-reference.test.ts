import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { findPaymentByReference } from "../../shared/payments/index.ts";

it("findPaymentByReference searches by primary keys only", async () => {
  const queries: string[] = [];
  const traced = {
    prepare: (query: string) => {
      queries.push(query);
      return env.SHOP_1.prepare(query);
    },
    batch: env.SHOP_1.batch.bind(env.SHOP_1),
  };
  expect(await findPaymentByReference(openDb(traced, createMeter()), "ref_none")).toBeNull();
  const { results } = await env.SHOP_1.prepare(`explain query plan ${queries[0]}`)
    .bind("ref_none")
    .all();
  expect(results.map(({ detail }) => String(detail))).toEqual([
    expect.stringMatching(/^SEARCH payment_references .*\(reference=\?\)/),
    expect.stringMatching(/^SEARCH payments .*\(id=\?\)/),
  ]);
});
