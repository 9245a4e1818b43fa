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

/**
 * "same" when a second run of a call gives the same response as the first, "fresh" when it may not.
 */
export type ReplayBehavior = "same" | "fresh";

type RepeatableRun = Readonly<{
  store: ResponseStore;
  fingerprint: string;
  replay: ReplayBehavior;
}>;

/**
 * The state of the key's claim. "failed": the batch with the claim failed. "not-sent": the call has
 * sent no batch.
 */
type ClaimState =
  | Readonly<{ type: "claimed"; leaseUntil: number }>
  | Readonly<{ type: "not-sent" | "failed" }>
  | IdempotencyRecordState;

/**
 * Runs a call that may safely run twice. The first statement of the call's own first batch claims
 * the key, which costs no round trip. If the response is lost, a repeated request runs the call
 * again after the claim's lease has expired.
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

/** Stops the run. The caller receives the stored response instead of this refusal. */
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
      return; // the batch guard has already refused the run
    // The claim may be stored although the response to its batch was lost.
    case "failed":
      if (result.type === "outage") return storeRunResult(c, store, { result, leaseUntil });
      return claimAfterRun(c, run, result);
    case "not-sent":
      return claimAfterRun(c, run, result);
  }
}

/**
 * Claims the key of a run without changes: it was refused before its first batch, or by that batch.
 */
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

/**
 * Names of the idempotency records for which this isolate is storing a response in the background.
 */
const pendingStores = new Set<string>();

function storeInBackground(
  c: Context<ApiEnv>,
  store: ResponseStore,
  result: Parameters<typeof storeRunResult>[2],
): void {
  const { name } = store.record;
  const storeResult = async () => {
    try {
      // Server-Timing must not count this write, so the response is sent first.
      await scheduler.wait(0);
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

/**
 * Waits until this isolate has stored the response, so that an immediate repeat gets that response.
 */
async function waitForPendingStore(name: string): Promise<void> {
  for (let polls = 0; pendingStores.has(name) && polls < pendingStoreMaxPolls; polls += 1) {
    await scheduler.wait(pendingStorePollMs);
  }
}

const recheckDelaysMs = [20, 80, 200];

/**
 * Reads the existing record. While the record says "running", waits up to 300 ms for the isolate
 * that is storing the response.
 */
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
