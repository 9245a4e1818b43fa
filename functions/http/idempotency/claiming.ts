import type { Context, Next } from "hono";
import { gateOf, isRefusedClaim, type Standing } from "../../../shared/database/index.ts";
import { conflict } from "../../../shared/kernel/index.ts";
import { chance } from "../../runtime/runtime.ts";
import type { SurfaceEnv } from "../api-env.ts";
import { type KeptAnswers, keep, type Outcome, outcomeOf, refusalOf, replay } from "./answers.ts";

/**
 * How a second run of a call would answer (`knowsRepeats` in contract.ts): "alike", as long as nothing else
 * happened to its record, or "anew".
 */
export type SecondRun = "alike" | "anew";

type Asked = Readonly<{ answers: KeptAnswers; request: string; secondRun: SecondRun }>;

/** What became of the claim: "failed" with its batch, "unasked" where the database was not asked at all. */
type Found =
  | Readonly<{ type: "claimed"; leaseUntil: number }>
  | Readonly<{ type: "unasked" | "failed" }>
  | Standing;

/**
 * Runs a call whose repeat does no harm without a round trip for its claim, which travels at the head of
 * the call's own first batch; nothing is done before that. A run whose answer was not kept is run again
 * once its lease is over, and knows by itself what it did: where that answers alike the answer is kept
 * behind its back, else before it is sent.
 */
export async function runClaiming(c: Context<SurfaceEnv>, next: Next, asked: Asked): Promise<void> {
  const { slot } = asked.answers;
  await untilKept(slot.name);
  const { leaseUntil, ...claim } = slot.claimAhead(asked.request, chance.now());
  const run: { found: Found } = { found: { type: "unasked" } };
  const gate = gateOf({
    ...claim,
    onHeld: () => {
      run.found = { type: "claimed", leaseUntil };
    },
    refusalFor: async (error) => {
      run.found = { type: "failed" };
      if (!isRefusedClaim(error)) return null;
      const standing = await standingFor(asked);
      run.found = standing;
      return standing.type === "answered" ? answeredBefore() : refusalOf(standing);
    },
  });
  c.set("gate", gate);
  await next();
  await end(c, asked, { found: run.found, leaseUntil });
}

/** Ends the run; nobody reads it. */
const answeredBefore = () => conflict("The request was answered before.");

async function end(
  c: Context<SurfaceEnv>,
  asked: Asked,
  { found, leaseUntil }: Readonly<{ found: Found; leaseUntil: number }>,
): Promise<void> {
  const { answers, secondRun } = asked;
  const outcome = outcomeOf(c);
  switch (found.type) {
    case "claimed":
      if (secondRun === "alike" && c.res.ok) return keepBehind(c, answers, { outcome, leaseUntil });
      return keep(c, answers, { outcome, leaseUntil });
    case "answered":
      c.res = await replay(answers, found);
      return;
    case "running":
    case "done":
    case "other-request":
      return; // the gate has refused it
    case "failed": // of a lost answer, too: the claim may stand
      if (outcome.type === "outage") return keep(c, answers, { outcome, leaseUntil });
      return claimAfterwards(c, asked, outcome);
    case "unasked":
      return claimAfterwards(c, asked, outcome);
  }
}

/**
 * Of a run that was refused before it asked its database, or by its first batch, and so did nothing: its
 * key is as good as any other's.
 */
async function claimAfterwards(
  c: Context<SurfaceEnv>,
  { answers, request }: Asked,
  outcome: Outcome,
): Promise<void> {
  const claim = await answers.slot.claim(request, chance.now());
  switch (claim.type) {
    case "claimed":
      return keep(c, answers, { outcome, leaseUntil: claim.leaseUntil });
    case "answered":
      c.res = await replay(answers, claim);
      return;
    default:
      throw refusalOf(claim);
  }
}

/** Whose answers this isolate is about to keep. */
const beingKept = new Set<string>();

/** Behind the answer, for which nobody waits any more. */
function keepBehind(
  c: Context<SurfaceEnv>,
  answers: KeptAnswers,
  ended: Parameters<typeof keep>[2],
): void {
  const { name } = answers.slot;
  const kept = async () => {
    try {
      await scheduler.wait(0); // the answer's headers count the round trips before it
      await keep(c, answers, ended);
    } finally {
      beingKept.delete(name);
    }
  };
  beingKept.add(name);
  c.executionCtx.waitUntil(kept());
}

const patience = { looks: 200, everyMs: 5 };

/** Who repeats a request right after its answer finds that kept, too. */
async function untilKept(name: string): Promise<void> {
  for (let looks = 0; beingKept.has(name) && looks < patience.looks; looks += 1)
    await scheduler.wait(patience.everyMs);
}

const looksAgainAfterMs = [20, 80, 200];

/** As `untilKept`, where another isolate keeps it: "in progress" has to stay so for a while. */
async function standingFor({ answers: { slot }, request, secondRun }: Asked): Promise<Standing> {
  let standing = await slot.standing(request);
  for (const ms of secondRun === "alike" ? looksAgainAfterMs : []) {
    if (standing.type !== "running") break;
    await scheduler.wait(ms);
    standing = await slot.standing(request);
  }
  return standing;
}
