import { setTimeout as pause } from "node:timers/promises";
import type { RuleViolations } from "../load-reconciliation.ts";
import type { EventReceiver } from "./event-receiver.ts";
import { countOpenCheckouts, listEventIds } from "./stored-state.ts";

/** Longer than objects and jobs take to continue what a crash interrupted. */
const restTimeoutMs = 6 * 60_000;
const pollMs = 1_000;

/**
 * Waits until no checkout is open and each event has arrived.
 *
 * @returns what is left after six minutes, as findings.
 */
export async function waitForRest(
  stateDir: string,
  businessId: string,
  receiver: EventReceiver,
): Promise<readonly RuleViolations[]> {
  const deadline = performance.now() + restTimeoutMs;
  for (;;) {
    const [openCheckouts, missing] = [
      countOpenCheckouts(stateDir),
      await countMissing(stateDir, businessId, receiver),
    ];
    if ((openCheckouts === 0 && missing === 0) || performance.now() > deadline) {
      return [
        { rule: "no checkout is interrupted or waits for its payment", violations: openCheckouts },
        { rule: "every order.created event arrived", violations: missing },
      ];
    }
    await pause(pollMs);
  }
}

async function countMissing(stateDir: string, businessId: string, receiver: EventReceiver) {
  const arrived = new Set(receiver.arrivals());
  const events = await listEventIds(stateDir, businessId);
  return events.filter((id) => !arrived.has(id)).length;
}
