import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { heldCopies } from "../support/copies.ts";
import { calmOf, complaintsOf, keylessComplaintsOf } from "./faults/calls.ts";
import { restoreWays, watchWays } from "./faults/effects.ts";
import { inOrderOfTime, prepared, requestsFor, unasked } from "./faults/requests.ts";
import { changesOf } from "./faults/states.ts";
import { faultsIn, isAskedWithoutKey } from "./faults/which.ts";
import { givenFaultyWorld, goOn, type State, type World } from "./faults/world.ts";
import { named, type Operation, operationsOfDocuments } from "./operations.ts";

const documented = await operationsOfDocuments();
const writes = inOrderOfTime(
  documented.filter(({ id, method }) => method !== "GET" && !unasked.has(id)),
);

heldCopies(); // or putting an object back waits for them

let world: World;
let base: State;

beforeAll(async () => {
  world = await givenFaultyWorld();
  base = await world.readState();
  watchWays();
}, 60_000);
afterAll(restoreWays);

describe.each(named(writes))("%s", (_, operation) => {
  it("is done once, whatever fails", async () => {
    goOn();
    const from = await stateBefore(operation);
    const calm = await calmOf(world, operation, from);
    const complaints: string[] = [];
    const place = writes.indexOf(operation);
    for (const fault of faultsIn(calm.effects, place)) {
      const effect = `${fault.at} of ${calm.effects.length}, ${fault.when}: ${calm.effects[fault.at - 1]}`;
      for (const complaint of await complaintsOf(world, operation, calm, fault))
        complaints.push(`${effect}\n    ${complaint}`);
    }
    if (isAskedWithoutKey(operation, place))
      complaints.push(...(await keylessComplaintsOf(world, operation, calm)));
    await world.restore(base, from);
    expect(complaints.join("\n")).toBe("");
  });
});

describe("what these faults were asked of", () => {
  it("is as it was before them", async () => {
    expect(await changesOf(base, await world.readState())).toEqual([]);
  });
});

async function stateBefore(operation: Operation): Promise<State> {
  const preparing = prepared.get(operation.id);
  if (preparing === undefined) return base;
  const other = documented.find(({ id }) => id === preparing);
  if (!other) throw new Error(`There is no ${preparing}.`);
  await calmlyAsk(other);
  goOn(6_000);
  return world.readState(base);
}

async function calmlyAsk(operation: Operation): Promise<void> {
  const [request] = requestsFor(operation);
  if (request) await world.ask(operation, request, { key: null });
}
