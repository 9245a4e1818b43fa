import type { Context, Next } from "hono";
import {
  createBatchGuard,
  type IdempotencyRecordState,
  isClaimRefused,
} from "../../../shared/database/index.ts";
import { conflict } from "../../../shared/kernel/index.ts";
import { runtime } from "../../runtime/runtime.ts";
import type { ApiEnv } from "../context.ts";
import {
  type ResponseStore,
  type RunResult,
  refusalForRepeat,
  replayResponse,
  runResultOf,
  storeRunResult,
} from "./response-store.ts";

/** Whether a second run of a call gives the same response as the first one, or a fresh one. */
export type ReplayBehavior = "same" | "fresh";

type RepeatableRun = Readonly<{
  store: ResponseStore;
  fingerprint: string;
  replay: ReplayBehavior;
}>;

/** The key's claim: "failed" with its batch, or "not-sent" because the call never used its database. */
type ClaimState =
  | Readonly<{ type: "claimed"; leaseUntil: number }>
  | Readonly<{ type: "not-sent" | "failed" }>
  | IdempotencyRecordState;

/**
 * Runs a call that may safely run twice. Its key is claimed by a statement at the head of the call's
 * own first batch, which costs no round trip, and nothing is done before that batch. When the
 * response of a run is lost, a repeat runs the call again after the lease has expired.
 */
export async function runWithDeferredClaim(
  c: Context<ApiEnv>,
  next: Next,
  run: RepeatableRun,
): Promise<void> {
  const { record } = run.store;
  await waitForPendingStore(record.name);
  const { leaseUntil, ...claim } = record.claimStatement(run.fingerprint, runtime.now());
  const progress: { claim: ClaimState } = { claim: { type: "not-sent" } };
  const guard = createBatchGuard({
    ...claim,
    onPassed: () => {
      progress.claim = { type: "claimed", leaseUntil };
    },
    refusalFor: async (error) => {
      progress.claim = { type: "failed" };
      if (!isClaimRefused(error)) return null;
      const existing = await loadExistingRecord(run);
      progress.claim = existing;
      return existing.type === "responded" ? alreadyAnswered() : refusalForRepeat(existing);
    },
  });
  c.set("batchGuard", guard);
  await next();
  await completeRun(c, run, { claim: progress.claim, leaseUntil });
}

/** Stops the run; the caller receives the stored response instead. */
const alreadyAnswered = () => conflict("The request was answered before.");

async function completeRun(
  c: Context<ApiEnv>,
  run: RepeatableRun,
  { claim, leaseUntil }: Readonly<{ claim: ClaimState; leaseUntil: number }>,
): Promise<void> {
  const { store, replay } = run;
  const result = runResultOf(c);
  switch (claim.type) {
    case "claimed":
      if (replay === "same" && c.res.ok) {
        return storeInBackground(c, store, { result, leaseUntil });
      }
      return storeRunResult(c, store, { result, leaseUntil });
    case "responded":
      c.res = await replayResponse(store, claim);
      return;
    case "running":
    case "committed":
    case "different_request":
      return; // the batch guard has refused the run
    case "failed": // the claim may have been written even though the batch's answer was lost
      if (result.type === "outage") return storeRunResult(c, store, { result, leaseUntil });
      return claimAfterRun(c, run, result);
    case "not-sent":
      return claimAfterRun(c, run, result);
  }
}

/** Claims the key of a run that changed nothing because it was refused before or by its first batch. */
async function claimAfterRun(
  c: Context<ApiEnv>,
  { store, fingerprint }: RepeatableRun,
  result: RunResult,
): Promise<void> {
  const claim = await store.record.claim(fingerprint, runtime.now());
  switch (claim.type) {
    case "claimed":
      return storeRunResult(c, store, { result, leaseUntil: claim.leaseUntil });
    case "responded":
      c.res = await replayResponse(store, claim);
      return;
    default:
      throw refusalForRepeat(claim);
  }
}

/** Names of the records whose responses this isolate is storing in the background. */
const pendingStores = new Set<string>();

function storeInBackground(
  c: Context<ApiEnv>,
  store: ResponseStore,
  result: Parameters<typeof storeRunResult>[2],
): void {
  const { name } = store.record;
  const storeResult = async () => {
    try {
      await scheduler.wait(0); // the response's Server-Timing counts only the round trips before it
      await storeRunResult(c, store, result);
    } finally {
      pendingStores.delete(name);
    }
  };
  pendingStores.add(name);
  c.executionCtx.waitUntil(storeResult());
}

const pendingStorePollMs = 5;
const pendingStoreMaxPolls = 200;

/** Waits until this isolate has stored the response, so that an immediate repeat is replayed. */
async function waitForPendingStore(name: string): Promise<void> {
  for (let polls = 0; pendingStores.has(name) && polls < pendingStoreMaxPolls; polls += 1) {
    await scheduler.wait(pendingStorePollMs);
  }
}

const recheckDelaysMs = [20, 80, 200];

/** Reads the existing record, and waits a little for another isolate that is about to store it. */
async function loadExistingRecord({
  store: { record },
  fingerprint,
  replay,
}: RepeatableRun): Promise<IdempotencyRecordState> {
  let existing = await record.findExisting(fingerprint);
  for (const delayMs of replay === "same" ? recheckDelaysMs : []) {
    if (existing.type !== "running") break;
    await scheduler.wait(delayMs);
    existing = await record.findExisting(fingerprint);
  }
  return existing;
}
