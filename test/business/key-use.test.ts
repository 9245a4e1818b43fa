import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { businessRepo, keyRepo } from "../../shared/businesses/index.ts";
import { openDb } from "../../shared/database/index.ts";
import { createMeter } from "../../shared/kernel/index.ts";
import { call, givenBusiness, merchant, roundTrips } from "../support/world.ts";

const hour = 3_600_000;

it("is known to the hour for each key, and costs no call a round trip", async () => {
  const shop = await givenBusiness();
  const ask = merchant(shop);
  const first = Date.now() + hour;
  vi.setSystemTime(first);
  const lastUses = async () => {
    const { body } = await ask("GET", "/keys");
    const keys: { kind: string; last_used_at: string | null }[] = Object(body).data.items;
    return Object.fromEntries(keys.map(({ kind, last_used_at }) => [kind, last_used_at]));
  };
  const noted = new Date(first).toISOString();
  await lastUses();
  await vi.waitFor(async () =>
    expect(await lastUses()).toEqual({ secret: noted, publishable: null, deploy: null }),
  );

  vi.setSystemTime(first + hour - 1_000);
  await lastUses();
  vi.setSystemTime(first + hour + 20_000);
  const answer = await call("GET", `/v1/businesses/${shop.business.id}/keys`, {
    headers: { "X-API-Key": shop.keys.secret },
  });
  expect(roundTrips(answer)).toMatchObject({ d1: 2 }); // the key and its business; the list
  await vi.waitFor(async () =>
    expect((await lastUses()).secret).toBe(new Date(first + hour + 20_000).toISOString()),
  );
});

it("is written once an hour, whoever tells of it", async () => {
  const { business } = await givenBusiness();
  const core = openDb(env.CORE, createMeter());
  const repo = businessRepo(core);
  const keys = keyRepo(core, { type: "business", id: business.id });
  const [key] = await keys.list({ limit: 1, before: null });
  const id = key?.id ?? "";
  const lastUse = async () => (await keys.get(id)).lastUsedAt;
  await repo.noteKeyUse(id, 10 * hour);
  await Promise.all([1, 2, 3].map((at) => repo.noteKeyUse(id, 10 * hour + at)));
  expect(await lastUse()).toBe(10 * hour);
  await repo.noteKeyUse(id, 11 * hour);
  expect(await lastUse()).toBe(11 * hour);
});
