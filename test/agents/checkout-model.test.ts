import { afterEach, beforeEach, it, vi } from "vitest";
import { assertForEach, campaignRuns } from "../model/run-sequences.ts";
import { createTestShop, openAgentScene } from "./model/checkout-scene.ts";
import { agentSequences, runAgentSequence } from "./model/checkout-steps.ts";
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

it("an agent's checkout follows its model", { timeout: 3_600_000 }, async () => {
  const shop = await createTestShop();
  await assertForEach(agentSequences, { runs: 2 * campaignRuns, offset: 0 }, async (sequence) => {
    await runAgentSequence(await openAgentScene(shop), sequence);
  });
});
