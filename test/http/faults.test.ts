import { env } from "cloudflare:workers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { holdListSyncs } from "../support/hold-list-syncs.ts";
import {
  advanceClock,
  createFaultWorld,
  type FaultWorld,
  type ShopState,
} from "./faults/create-fault-world.ts";
import { startRecordingEffects, stopRecordingEffects } from "./faults/effects.ts";
import {
  callWithoutFault,
  findDifferences,
  findDifferencesWithoutKey,
} from "./faults/find-differences.ts";
import {
  preparingOperations,
  requestsFor,
  shortLivedFirst,
  skippedOperations,
} from "./faults/requests.ts";
import { isRepeatedWithoutKey, selectFaults } from "./faults/select-faults.ts";
import { findStateChanges } from "./faults/state-changes.ts";
import { byId, listOperations, type Operation } from "./operations.ts";

const documented = await listOperations();
const writes = shortLivedFirst(
  documented.filter(({ id, method }) => method !== "GET" && !skippedOperations.has(id)),
);

holdListSyncs(); // otherwise an eviction waits for their timers

let world: FaultWorld;
let base: ShopState;

beforeAll(async () => {
  world = await createFaultWorld();
  base = await world.readState();
  advanceClock(1_000); // so that a change of the first tested record also changes its updated_at
  startRecordingEffects();
}, 60_000);
afterAll(stopRecordingEffects);

describe.each(byId(writes))("%s", (_, operation) => {
  it("is carried out once when one of its effects fails", async () => {
    advanceClock();
    const from = await prepareState(operation);
    const faultless = await callWithoutFault(world, operation, from);
    const differences: string[] = [];
    const index = writes.indexOf(operation);
    for (const fault of selectFaults(faultless.effects, index)) {
      const effect = `${fault.at} of ${faultless.effects.length}, ${fault.when}: ${faultless.effects[fault.at - 1]}`;
      for (const difference of await findDifferences(world, operation, faultless, fault))
        differences.push(`${effect}\n    ${difference}`);
    }
    if (isRepeatedWithoutKey(operation, index))
      differences.push(...(await findDifferencesWithoutKey(world, operation, faultless)));
    await world.restore(base, from);
    expect(differences.join("\n")).toBe("");
  });
});

describe("the stored data after all faults", () => {
  it("is the same as before them", async () => {
    expect(await findStateChanges(base, await world.readState())).toEqual([]);
  });
});

async function prepareState(operation: Operation): Promise<ShopState> {
  const preparing = preparingOperations.get(operation.id);
  if (preparing === undefined) return base;
  const other = documented.find(({ id }) => id === preparing);
  if (!other) throw new Error(`There is no ${preparing}.`);
  await askWithoutFault(other);
  await keepCodesValid();
  advanceClock(6_000);
  return world.readState(base);
}

async function askWithoutFault(operation: Operation): Promise<void> {
  const [request] = requestsFor(operation);
  if (request) await world.ask(operation, request, { key: null });
}

/** Codes expire minutes after their issue, and the clock advances with every fault. */
async function keepCodesValid(): Promise<void> {
  const extend =
    "update one_time_codes set issued_at = issued_at + 86400000, expires_at = expires_at + 86400000";
  for (const database of [env.CORE, env.SHOP_1]) await database.prepare(extend).run();
}
