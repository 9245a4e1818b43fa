import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { demandCatalogued } from "./catalogued.ts";
import { loadDice, throwDice } from "./dice.ts";
import { emptied } from "./empty.ts";
import { loadModulesOnce } from "./modules-once.ts";
import { steadyClock } from "./steady-clock.ts";

loadModulesOnce();

const { testPath = "" } = expect.getState();
loadDice();
throwDice(testPath.slice(testPath.lastIndexOf("/test/")));
steadyClock();

beforeEach(({ task }) => throwDice(task.fullName));

// Each file begins with empty databases: what an earlier one left due is nobody's work any more.
await Promise.all([
  emptied(env.CORE, env.CORE_MIGRATIONS),
  emptied(env.SHOP_1, env.SHOP_MIGRATIONS),
  emptied(env.SHOP_2, env.SHOP_MIGRATIONS),
]);

// A test that moved the clock leaves it as it found it.
afterEach(() => {
  vi.useRealTimers();
  steadyClock();
});

// Whatever the tests of a file made happen, receivers are told of it as the catalogue has it.
afterAll(demandCatalogued);
