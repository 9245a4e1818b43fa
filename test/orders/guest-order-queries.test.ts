import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createMeter, openDb, shardsOf, shopOf } from "../../shared/database/index.ts";
import { logInWithContact } from "../../shared/orders/index.ts";
import { emailContact, phoneContact } from "../support/create-customer.ts";
import { contextFor, createBusiness } from "../support/world.ts";

it.each([
  ["phone", phoneContact("+233241234567")],
  ["email", emailContact("ama@example.com")],
])("finds the guest orders of a verified %s by index", async (type, contact) => {
  const shop = await createBusiness();
  const d1 = shopOf(shardsOf(env, env.SHOP_SHARDS), shop.business);
  const statements: D1PreparedStatement[] = [];
  const recordingDb = {
    prepare: (query: string) => ({
      bind: (...values: unknown[]) => {
        statements.push(d1.prepare(`explain query plan ${query}`).bind(...values));
        return d1.prepare(query).bind(...values);
      },
    }),
    batch: () => Promise.reject(new Error("Only planned.")),
  };
  // safe: drizzle calls only prepare, bind and batch, and batch last
  const db = openDb(recordingDb as unknown as D1Database, createMeter());
  const ctx = { ...contextFor(shop), db };
  await logInWithContact(ctx, { contact, loggedInId: null, sessionId: null }).catch(() => {});
  const plans = await Promise.all(statements.map((statement) => statement.all()));
  const steps = plans.flatMap(({ results }) => results.map(({ detail }) => String(detail)));
  const searches = steps.filter((step) => /^(?:SEARCH|SCAN) guest\b/.test(step));
  expect(searches.length).toBeGreaterThan(3);
  for (const step of searches) {
    expect(step).toContain(`orders_of_guest_${type} (business_id=? AND customer_${type}=?)`);
  }
  expect(
    steps.filter((step) => /^SCAN (?:o|saved|other|orders|bookings|customers)\b/.test(step)),
  ).toEqual([]);
});
