import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, vi } from "vitest";

await applyD1Migrations(env.CORE, env.CORE_MIGRATIONS);
await applyD1Migrations(env.SHOP_1, env.SHOP_MIGRATIONS);
await applyD1Migrations(env.SHOP_2, env.SHOP_MIGRATIONS);

// What earlier files left due is put to rest: every later run of the jobs would take it up.
for (const shard of [env.SHOP_1, env.SHOP_2]) {
  await shard.batch([
    shard.prepare("update orders set expires_at = null where expires_at is not null"),
    shard.prepare("update orders set counted_at = 1 where counted_at is null"),
    shard.prepare("update subscriptions set due_at = null where due_at is not null"),
  ]);
}

// A test that moved the clock leaves it as it found it.
afterEach(() => {
  vi.useRealTimers();
});
