import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import background from "../../functions/background/worker.ts";
import { rowsOf } from "./shop-database.ts";
import type { contextFor } from "./world.ts";

type Shop = Parameters<typeof contextFor>[0];

const maxRuns = 60;

/** One run of the jobs, which does a share of what is due, other tests' too. */
export const tick = (bindings: typeof env = env) =>
  background.scheduled(createScheduledController({ cron: "* * * * *" }), bindings);

/** Runs the jobs, once at least, until no order and no refund of the shop is due at this moment. */
export async function cronFor(shop: Shop): Promise<void> {
  for (let runs = 1; runs <= maxRuns; runs += 1) {
    await tick();
    if (!(await isAnythingDue(shop))) return;
  }
  throw new Error(`Something is still due after ${maxRuns} runs.`);
}

async function isAnythingDue(shop: Shop): Promise<boolean> {
  const due = await rowsOf(
    shop,
    `select id from orders where business_id = ?1 and expires_at <= ?2
      union all select id from refunds where business_id = ?1 and due_at <= ?2 limit 1`,
    shop.business.id,
    Date.now(),
  );
  return due.length > 0;
}
