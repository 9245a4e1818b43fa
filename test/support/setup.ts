import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { cacheModuleLookups } from "./cache-modules.ts";
import { assertEventsMatchCatalogue } from "./event-catalogue.ts";
import { installJitter } from "./jitter.ts";
import { assertNoSecretFound, assertNoStoredSecret, watchConsole } from "./planted-secrets.ts";
import { assertNoLimitExceeded, assertRowsFit, enforcePlatformLimits } from "./platform-limits.ts";
import { refuseNetwork } from "./refuse-network.ts";
import { resetDatabase } from "./reset-database.ts";
import { installSeededRandom, seedRandom } from "./seeded-random.ts";
import { installTestClock } from "./test-clock.ts";

cacheModuleLookups();

const { testPath = "" } = expect.getState();
installSeededRandom();
seedRandom(testPath.slice(testPath.lastIndexOf("/test/")));
installTestClock();
installJitter();

enforcePlatformLimits();
refuseNetwork();
watchConsole();

beforeEach(({ task }) => seedRandom(task.fullName));

// Each file starts with empty databases, so that work an earlier file left due does not run.
await Promise.all([
  resetDatabase(env.CORE, env.CORE_MIGRATIONS),
  resetDatabase(env.SHOP_1, env.SHOP_MIGRATIONS),
  resetDatabase(env.SHOP_2, env.SHOP_MIGRATIONS),
]);

// Undoes what a test did to the clock.
afterEach(() => {
  vi.useRealTimers();
  installTestClock();
});

// A limit of Cloudflare that a Worker exceeded, even when it handled the error.
afterEach(assertNoLimitExceeded);
afterAll(assertRowsFit);

// A credential in a response, a log line or a stored record.
afterEach(assertNoSecretFound);
afterAll(assertNoStoredSecret);

// Every event that the file's tests emitted must match the event catalogue.
afterAll(assertEventsMatchCatalogue);
