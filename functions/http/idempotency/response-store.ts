import type { IdempotencyRecordState, idempotencyRepo } from "../../../shared/database/index.ts";
import { conflict, Refusal, stackOf } from "../../../shared/kernel/index.ts";
import { log } from "../../runtime/log.ts";
import { seal, unseal } from "../../runtime/sealing.ts";
import type { RequestContext } from "../context.ts";

type IdempotencyRecord = ReturnType<typeof idempotencyRepo>;

/** Where the response of one Idempotency-Key is stored, and the secret that it is encrypted with. */
export type ResponseStore = Readonly<{
  record: IdempotencyRecord;
  secret: string;
  database: "shop" | "core";
  /**
   * Runs before a stored response is sent again, for a caller whose credential may have ended since.
   *
   * @throws Refusal when it has.
   */
  assertActive?: () => Promise<void>;
}>;

/**
 * Selects the store of a response. Null for a shopper whose session begins with this call: no
 * repeated request can name that session.
 */
export type SelectResponseStore = (
  c: RequestContext,
  key: string,
) => ResponseStore | Promise<ResponseStore | null>;

type StoredResponse = Extract<IdempotencyRecordState, { type: "responded" }>;

/** The refusal of a repeated request for which no response is stored. */
export function refusalForRepeat({
  type,
}: Pick<Exclude<IdempotencyRecordState, StoredResponse>, "type">): Refusal {
  switch (type) {
    case "running":
      return conflict("The first request with this Idempotency-Key is in progress; try again.", {
        retryable: true,
      });
    case "committed":
      return conflict(
        "The first request with this Idempotency-Key was carried out, and its answer was lost; read what it changed.",
      );
    case "different_request":
      return conflict("The Idempotency-Key was used for another request.");
  }
}

/**
 * Sends the first response again, byte for byte.
 *
 * @throws Refusal when the credential of the first request has ended.
 */
export async function replayResponse(
  { secret, assertActive }: ResponseStore,
  { status, body }: Pick<StoredResponse, "status" | "body">,
): Promise<Response> {
  await assertActive?.();
  const text = await unseal(body, secret);
  const replayed = { "Idempotency-Replayed": "true" };
  // A 204 response has no body.
  if (text === "") return new Response(null, { status, headers: replayed });
  return new Response(text, {
    status,
    headers: { "Content-Type": "application/json", ...replayed },
  });
}

/** How a run ended. Only a "decided" run has a response that a repeated request may receive. */
export type RunResult = Readonly<
  { type: "outage" | "undecided" } | { type: "decided"; response: Response }
>;

/** Must be called before the response is sent, because it clones the response. */
export function runResultOf(c: RequestContext): RunResult {
  if (c.res.status >= 500) return { type: "outage" };
  return isFinalResponse(c) ? { type: "decided", response: c.res.clone() } : { type: "undecided" };
}

const storeRetryDelaysMs = [200, 2_000];

/**
 * Stores the result of a run. If storing fails, the response is sent anyway, and storing is retried
 * in the background. If the retries fail too, the claim ends when its lease expires.
 */
export async function storeRunResult(
  c: RequestContext,
  store: ResponseStore,
  {
    result,
    leaseUntil,
    contentDigest = null,
  }: Readonly<{ result: RunResult; leaseUntil: number; contentDigest?: string | null }>,
): Promise<void> {
  const write = await createStoreWrite(store, result, contentDigest);
  try {
    await write(leaseUntil);
  } catch {
    c.executionCtx.waitUntil(retryStoring(c, () => write(leaseUntil)));
  }
}

async function retryStoring(c: RequestContext, write: () => Promise<void>): Promise<void> {
  let lastError: unknown;
  for (const delayMs of storeRetryDelaysMs) {
    await scheduler.wait(delayMs);
    try {
      return await write();
    } catch (error) {
      lastError = error;
    }
  }
  log("error", "answer not kept", { request_id: c.get("requestId"), stack: stackOf(lastError) });
}

/** The id of a customer or an order. The erasure of a customer removes the responses with theirs. */
const subjectId = /\b(?:cus|ord)_[0-9a-z]{26}\b/g;

async function createStoreWrite(
  { record, secret }: ResponseStore,
  result: RunResult,
  contentDigest: string | null,
): Promise<(leaseUntil: number) => Promise<void>> {
  switch (result.type) {
    case "outage":
      return record.expireLease;
    case "undecided":
      return record.release;
    case "decided": {
      const { status } = result.response;
      const text = await result.response.text();
      const body = await seal(text, secret);
      const subjectIds = [...new Set(`${record.name} ${text}`.match(subjectId))];
      const response = { status, body, subjectIds, contentDigest };
      return (leaseUntil) => record.storeResponse(leaseUntil, response);
    }
  }
}

const undecidedStatuses: readonly number[] = [400, 401, 403, 429];

const isFinalResponse = (c: RequestContext): boolean =>
  !undecidedStatuses.includes(c.res.status) && !(c.error instanceof Refusal && c.error.retryable);
