import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { day } from "../../shared/kernel/index.ts";
import { createLogin, homeAddress } from "../link/create-logins.ts";
import { createBusiness } from "../support/world.ts";
import { createBackgroundWorker } from "./create-background-worker.ts";

const start = Date.parse("2033-01-01T00:00:00Z");

const countRows = async (query: string, ...values: unknown[]): Promise<unknown> => {
  const { results } = await env.CORE.prepare(query)
    .bind(...values)
    .all();
  return results.length;
};

it("deletes Link's sessions, tokens and stored responses when they have expired, and no earlier", async () => {
  vi.setSystemTime(start);
  const shop = await createBusiness();
  const { accountId, ask, contact } = await createLogin(shop);
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  await ask("POST", "/addresses", { body: homeAddress, headers });
  const sessions = () => countRows("select id from link_sessions where account_id = ?", accountId);
  const tokens = () =>
    countRows(
      `select hash from link_refresh_tokens where session_id in
        (select id from link_sessions where account_id = ?)`,
      accountId,
    );
  const answers = () =>
    countRows(
      `select key from idempotency_keys
        where business_id = 'link' and route = 'POST /v1/link/addresses' and created_at = ?`,
      start,
    );
  const { cron } = createBackgroundWorker();

  vi.setSystemTime(start + day - 1);
  await cron();
  expect([await sessions(), await tokens(), await answers()]).toEqual([1, 1, 1]);
  vi.setSystemTime(start + day);
  await cron();
  expect([await sessions(), await tokens(), await answers()]).toEqual([1, 1, 0]);
  vi.setSystemTime(start + 30 * day);
  await createLogin(shop, { contact });
  await cron();
  expect([await sessions(), await tokens()]).toEqual([2, 1]);
  vi.setSystemTime(start + 31 * day);
  await cron();
  expect([await sessions(), await tokens()]).toEqual([1, 1]);
});
