import { afterEach, beforeAll, beforeEach, it, vi } from "vitest";
import { assertForEach, campaignRuns, replaysOneSequence } from "../model/run-sequences.ts";
import { createTestShop, openAgentScene, type TestShop } from "./model/checkout-scene.ts";
import { agentSequences, agentStories } from "./model/checkout-sequences.ts";
import { runAgentSequence } from "./model/checkout-steps.ts";
import { hostProfiles } from "./platform.ts";

hostProfiles();

// Isolates cache by the clock, which must not go back.
let clock = Date.parse("2030-05-01T12:00:00Z");
beforeEach(() => {
  vi.setSystemTime(clock);
});
afterEach(() => {
  clock = Date.now();
});

let shop: TestShop;
beforeAll(async () => {
  vi.setSystemTime(clock);
  shop = await createTestShop();
  clock = Date.now();
});

it("an agent's checkout follows its model", { timeout: 3_600_000 }, async () => {
  await assertForEach(agentSequences, { runs: campaignRuns, offset: 0 }, async (sequence) => {
    await runAgentSequence(await openAgentScene(shop), sequence);
  });
});

it.skipIf(replaysOneSequence).each(agentStories)("%s", async (_, steps) => {
  await runAgentSequence(await openAgentScene(shop), steps);
});
