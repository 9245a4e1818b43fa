import {
  createExecutionContext,
  createMessageBatch,
  createScheduledController,
  getQueueResult,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Work } from "../../functions/background/work.ts";
import background from "../../functions/background/worker.ts";
import { rowsOf } from "./shop-database.ts";
import type { contextFor } from "./world.ts";

type Shop = Parameters<typeof contextFor>[0];

const maxRuns = 60;

/** The minute's cron alone; tells what it left to invocations of their own. */
export async function cronOnly(bindings: typeof env = env): Promise<Work[]> {
  const left: Work[] = [];
  const queue = {
    send: async (work: Work) => void left.push(work),
    sendBatch: async (messages: Iterable<{ body: Work }>) => {
      for (const { body } of messages) left.push(body);
    },
  } as unknown as Queue<Work>; // safe: the Worker calls send and sendBatch, and nothing else
  const controller = createScheduledController({ cron: "* * * * *" });
  await background.scheduled(controller, { ...bindings, WORK: queue });
  return left;
}

/** The invocation of one message of the queue of work; tells whether it comes again. */
export async function workOn(body: unknown, bindings: typeof env = env): Promise<boolean> {
  const message = { id: "msg", timestamp: new Date(), attempts: 1, body };
  const batch = createMessageBatch("duka-work", [message]);
  await background.queue(batch, bindings);
  const { retryMessages } = await getQueueResult(batch, createExecutionContext());
  return retryMessages.length > 0;
}

/** One run of the jobs, which does a share of what is due of all the file's shops. */
export async function tick(bindings: typeof env = env): Promise<void> {
  for (const work of await cronOnly(bindings)) await workOn(work, bindings);
}

/** What of a minute's jobs is not pressing, alone. */
export const keepHouse = () => workOn({ type: "housekeeping" });

/** As `tick`, without the housekeeping. */
export async function shortTick(bindings: typeof env = env): Promise<void> {
  for (const work of await cronOnly(bindings)) {
    if (work.type !== "housekeeping") await workOn(work, bindings);
  }
}

/**
 * Runs the jobs, once at least, until nothing of the shop is due at this moment. The file's other
 * shops are put to rest: at a test's later clock, theirs would be years of renewals.
 */
export async function cronFor(shop: Shop): Promise<void> {
  await restOthers(shop);
  for (let runs = 1; runs <= maxRuns; runs += 1) {
    await shortTick();
    if (!(await isAnythingDue(shop))) return;
  }
  throw new Error(`Something is still due after ${maxRuns} runs.`);
}

async function restOthers({ business }: Shop): Promise<void> {
  for (const shard of [env.SHOP_1, env.SHOP_2]) {
    await shard.batch([
      shard
        .prepare("update subscriptions set due_at = null where business_id <> ?")
        .bind(business.id),
      shard.prepare("update orders set expires_at = null where business_id <> ?").bind(business.id),
    ]);
  }
}

async function isAnythingDue(shop: Shop): Promise<boolean> {
  const due = await rowsOf(
    shop,
    `select id from orders where business_id = ?1 and expires_at <= ?2
      union all select id from refunds where business_id = ?1 and due_at <= ?2
      union all select id from subscriptions where business_id = ?1 and due_at <= ?2 limit 1`,
    shop.business.id,
    Date.now(),
  );
  return due.length > 0;
}
