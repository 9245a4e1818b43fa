import type { idempotencyRepo, Standing } from "../../../shared/database/index.ts";
import { conflict, Refusal, stackOf } from "../../../shared/kernel/index.ts";
import { log } from "../../runtime/log.ts";
import { seal, unseal } from "../../runtime/sealing.ts";
import type { RequestContext } from "../api-env.ts";

type Slot = ReturnType<typeof idempotencyRepo>;

/** Where a caller's answers are kept, and the secret without which they cannot be read again. */
export type KeptAnswers = Readonly<{ slot: Slot; secret: string; in: "shop" | "core" }>;

/** What whoever repeats a request reads that cannot be answered again, or not yet. */
export function refusalOf({ type }: Pick<Exclude<Standing, Answered>, "type">): Refusal {
  switch (type) {
    case "running":
      return conflict("The first request with this Idempotency-Key is in progress; try again.", {
        retryable: true,
      });
    case "done":
      return conflict(
        "The first request with this Idempotency-Key was carried out, and its answer was lost; read what it changed.",
      );
    case "other-request":
      return conflict("The Idempotency-Key was used for another request.");
  }
}

type Answered = Extract<Standing, { type: "answered" }>;

/** The first answer once more, byte for byte. */
export async function replay(
  { secret }: KeptAnswers,
  { status, body }: Pick<Answered, "status" | "body">,
): Promise<Response> {
  const text = await unseal(body, secret);
  const replayed = { "Idempotency-Replayed": "true" };
  if (text === "") return new Response(null, { status, headers: replayed }); // a 204 has no body at all
  return new Response(text, {
    status,
    headers: { "Content-Type": "application/json", ...replayed },
  });
}

/** How a run ended, and its answer where that is to be kept. */
export type Outcome = Readonly<
  { type: "outage" | "undecided" } | { type: "decided"; answer: Response }
>;

/** To be taken before the answer is sent. */
export function outcomeOf(c: RequestContext): Outcome {
  if (c.res.status >= 500) return { type: "outage" };
  return isDefinite(c) ? { type: "decided", answer: c.res.clone() } : { type: "undecided" };
}

const triesAgainAfterMs = [200, 2_000];

/**
 * Keeps what was decided. When that fails the answer still stands, and it is tried again behind it; when
 * that fails, too, the lease runs out.
 */
export async function keep(
  c: RequestContext,
  answers: KeptAnswers,
  { outcome, leaseUntil }: Readonly<{ outcome: Outcome; leaseUntil: number }>,
): Promise<void> {
  const write = await writeOf(answers, outcome);
  try {
    await write(leaseUntil);
  } catch {
    c.executionCtx.waitUntil(keepLater(c, () => write(leaseUntil)));
  }
}

async function keepLater(c: RequestContext, write: () => Promise<void>): Promise<void> {
  let failure: unknown;
  for (const ms of triesAgainAfterMs) {
    await scheduler.wait(ms);
    try {
      return await write();
    } catch (error) {
      failure = error;
    }
  }
  log("error", "answer not kept", { request_id: c.get("requestId"), stack: stackOf(failure) });
}

async function writeOf(
  { slot, secret }: KeptAnswers,
  outcome: Outcome,
): Promise<(leaseUntil: number) => Promise<void>> {
  switch (outcome.type) {
    case "outage":
      return slot.reopen;
    case "undecided":
      return slot.forget;
    case "decided": {
      const { status } = outcome.answer;
      const body = await seal(await outcome.answer.text(), secret);
      return (leaseUntil) => slot.store(leaseUntil, { status, body });
    }
  }
}

const undecided: readonly number[] = [400, 401, 403, 429];

const isDefinite = (c: RequestContext): boolean =>
  !undecided.includes(c.res.status) && !(c.error instanceof Refusal && c.error.retryable);
