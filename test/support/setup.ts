import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, vi } from "vitest";

await applyD1Migrations(env.CORE, env.CORE_MIGRATIONS);
await applyD1Migrations(env.SHOP_1, env.SHOP_MIGRATIONS);
await applyD1Migrations(env.SHOP_2, env.SHOP_MIGRATIONS);

// A test that moved the clock leaves it as it found it.
afterEach(() => {
  vi.useRealTimers();
});
