import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { authenticationRepo, keyRepo } from "../../shared/businesses/index.ts";
import { createMeter, openDb } from "../../shared/database/index.ts";
import { hour } from "../../shared/kernel/index.ts";
import { call, createBusiness, merchant, roundTrips } from "../support/world.ts";

it("records the last use of each key to the hour, without a round trip for the request", async () => {
  const shop = await createBusiness();
  const ask = merchant(shop);
  const first = Date.now() + hour;
  vi.setSystemTime(first);
  const listLastUses = async () => {
    const { body } = await ask("GET", "/keys");
    const keys: { kind: string; last_used_at: string | null }[] = Object(body).data.items;
    return Object.fromEntries(keys.map(({ kind, last_used_at }) => [kind, last_used_at]));
  };
  const recordedAt = new Date(first).toISOString();
  await listLastUses();
  await expect.poll(listLastUses).toEqual({ secret: recordedAt, publishable: null, deploy: null });

  vi.setSystemTime(first + hour - 1_000);
  await listLastUses();
  vi.setSystemTime(first + hour + 20_000);
  const answer = await call("GET", `/v1/businesses/${shop.business.id}/keys`, {
    headers: { "X-API-Key": shop.keys.secret },
  });
  expect(roundTrips(answer)).toMatchObject({ d1: 2 }); // the key and its business; the list
  await expect
    .poll(async () => (await listLastUses()).secret)
    .toBe(new Date(first + hour + 20_000).toISOString());
});

it("writes the last use once an hour, however many requests report it", async () => {
  const { business } = await createBusiness();
  const core = openDb(env.CORE, createMeter());
  const repo = authenticationRepo(core);
  const keys = keyRepo(core, { type: "business", id: business.id });
  const [key] = await keys.list({ limit: 1, before: null });
  const id = key?.id ?? "";
  const getLastUse = async () => (await keys.get(id)).lastUsedAt;
  await repo.recordKeyUse(id, 10 * hour);
  await Promise.all([1, 2, 3].map((ms) => repo.recordKeyUse(id, 10 * hour + ms)));
  expect(await getLastUse()).toBe(10 * hour);
  await repo.recordKeyUse(id, 11 * hour);
  expect(await getLastUse()).toBe(11 * hour);
});
