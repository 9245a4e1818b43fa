import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll, afterEach, vi } from "vitest";
import { demandCatalogued } from "./catalogued.ts";
import { empty } from "./empty.ts";

// Each file begins with empty databases: what an earlier one left due is nobody's work any more.
await Promise.all([
  applyD1Migrations(env.CORE, env.CORE_MIGRATIONS).then(() => empty(env.CORE)),
  applyD1Migrations(env.SHOP_1, env.SHOP_MIGRATIONS).then(() => empty(env.SHOP_1)),
  applyD1Migrations(env.SHOP_2, env.SHOP_MIGRATIONS).then(() => empty(env.SHOP_2)),
]);

// A test that moved the clock leaves it as it found it.
afterEach(() => {
  vi.useRealTimers();
});

// Whatever the tests of a file made happen, receivers are told of it as the catalogue has it.
afterAll(demandCatalogued);
