import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { givenLogin, home } from "../link/given.ts";
import { givenBusiness } from "../support/world.ts";
import { givenBackground } from "./queue.ts";

const day = 86_400_000;
const start = Date.parse("2033-01-01T00:00:00Z");

const countOf = async (query: string, ...values: unknown[]): Promise<unknown> => {
  const { results } = await env.CORE.prepare(query)
    .bind(...values)
    .all();
  return results.length;
};

it("Link's sessions, tokens and kept answers are gone once they are over, and no earlier", async () => {
  vi.setSystemTime(start);
  const shop = await givenBusiness();
  const { accountId, ask, contact } = await givenLogin(shop);
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  await ask("POST", "/addresses", { body: home, headers });
  const sessions = () => countOf("select id from link_sessions where account_id = ?", accountId);
  const tokens = () =>
    countOf(
      `select hash from link_refresh_tokens where session_id in
        (select id from link_sessions where account_id = ?)`,
      accountId,
    );
  const answers = () =>
    countOf(
      `select key from idempotency_keys
        where business_id = 'link' and route = 'POST /v1/link/addresses' and created_at = ?`,
      start,
    );
  const { cron } = givenBackground();

  vi.setSystemTime(start + day - 1);
  await cron();
  expect([await sessions(), await tokens(), await answers()]).toEqual([1, 1, 1]);
  vi.setSystemTime(start + day);
  await cron();
  expect([await sessions(), await tokens(), await answers()]).toEqual([1, 1, 0]);
  vi.setSystemTime(start + 30 * day);
  await givenLogin(shop, { contact });
  await cron();
  expect([await sessions(), await tokens()]).toEqual([2, 1]);
  vi.setSystemTime(start + 31 * day);
  await cron();
  expect([await sessions(), await tokens()]).toEqual([1, 1]);
});
