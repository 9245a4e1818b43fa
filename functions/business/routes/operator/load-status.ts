import type { z } from "@hono/zod-openapi";
import { jobFailureRepo } from "../../../../shared/database/index.ts";
import { deadLetterRepo } from "../../../../shared/dead-letters/index.ts";
import {
  countBusinessesByShard,
  countDueRows,
  readDatabaseFigures,
} from "../../../../shared/deployment/index.ts";
import { iso, isoOrNull, second, stackOf } from "../../../../shared/kernel/index.ts";
import { expiredOrders, listMissingProviders } from "../../../../shared/orders/index.ts";
import { reconciliationRepo } from "../../../../shared/reconciliation/index.ts";
import { dueSubscriptions } from "../../../../shared/subscriptions/index.ts";
import { findOldestDueWebhook } from "../../../../shared/webhooks/index.ts";
import { countObjectCall, type RequestContext } from "../../../http/context.ts";
import { log } from "../../../runtime/log.ts";
import { type MetricsReading, openMetrics } from "../../../runtime/metrics/metrics-object.ts";
import { version } from "../../../runtime/version.ts";
import { createOperatorContext, type OpenShard, openShards } from "../../context.ts";
import type { OperatorStatusView } from "../../views/settings/operator-status.ts";

/** So many businesses of each shard are named; the operator mends the cause for all at once. */
const maxBusinessesPerShard = 100;
const maxFailingRecords = 100;
/** A backlog beyond this is a backlog; its exact number does not matter. */
const maxCounted = 10_000;

type OperatorStatus = z.infer<typeof OperatorStatusView>;

/** Reads the status of the deployment, from CORE, every shard, the queue and the metrics at once. */
export async function loadStatus(c: RequestContext): Promise<OperatorStatus> {
  const { core, now } = createOperatorContext(c);
  const at = now();
  const [coreFigures, accounts, failing, deadLetters, businesses, queue, metrics, ...shards] =
    await Promise.all([
      readDatabaseFigures(core),
      reconciliationRepo(core).listAccounts(at),
      jobFailureRepo(core).listFailing({ now: at, limit: maxFailingRecords }),
      deadLetterRepo(core).countWaiting(),
      countBusinessesByShard(core),
      readQueue(c),
      readMetrics(c),
      ...openShards(c).map((shard) => loadShard(shard, at)),
    ]);
  const undelivered = shards.flatMap(({ undeliveredSince }) => undeliveredSince ?? []);
  return {
    shards: shards.map(({ shard, figures }) => ({
      shard,
      name: shard,
      bytes: figures.bytes,
      size_bytes: figures.bytes,
      bytes_limit: figures.maxBytes,
      is_full: figures.isFull,
      rows: figures.rows,
      businesses: businesses.get(shard) ?? 0,
      schema: figures.migration,
    })),
    oldest_undelivered_event: undelivered.length === 0 ? null : iso(Math.min(...undelivered)),
    queue,
    dead_letters: deadLetters,
    unpaid_holds_overdue: shards.reduce((sum, { overdueOrders }) => sum + overdueOrders, 0),
    renewals_behind: shards.reduce((sum, { dueRenewals }) => sum + dueRenewals, 0),
    provider_errors: metrics?.recentProviderErrors ?? null,
    jobs: viewJobs(
      metrics,
      shards.map(({ shard }) => shard),
    ),
    version: { schema: coreFigures.migration, code: version },
    missing_providers: shards
      .flatMap(({ missingProviders }) => missingProviders)
      .map(({ businessId, provider, orders, oldestAt }) => ({
        business_id: businessId,
        provider,
        orders,
        oldest_order_at: iso(oldestAt),
      })),
    failing_records: failing.map((one) => ({
      job: one.job,
      shard: one.shard,
      record: one.record,
      failures: one.failures,
      first_failed_at: iso(one.firstFailedAt),
      last_failed_at: iso(one.lastFailedAt),
    })),
    reconciliations: accounts.map((one) => ({
      account: one.account,
      reconciled_until: isoOrNull(one.reconciledUntil),
      is_running: one.position !== null,
      next_run_at: iso(one.dueAt),
      differences: one.differences,
    })),
  };
}

async function loadShard({ shard, db }: OpenShard, now: number) {
  const limit = maxCounted;
  const [figures, missingProviders, undeliveredSince] = await Promise.all([
    readDatabaseFigures(db, [
      countDueRows(expiredOrders, { now, limit }),
      countDueRows(dueSubscriptions, { now, limit }),
    ]),
    listMissingProviders(db, maxBusinessesPerShard),
    findOldestDueWebhook(db, { now }),
  ]);
  const [overdueOrders = 0, dueRenewals = 0] = figures.counts;
  return { shard, figures, missingProviders, undeliveredSince, overdueOrders, dueRenewals };
}

/** The backlog of the queue of events; null when the queue does not say. */
async function readQueue({ env }: RequestContext): Promise<OperatorStatus["queue"]> {
  try {
    const { backlogCount, backlogBytes, oldestMessageTimestamp } = await env.EVENTS.metrics();
    return {
      messages: backlogCount,
      bytes: backlogBytes,
      oldest_message_at: isoOrNull(oldestMessageTimestamp?.getTime() || null), // 0 for an empty queue
    };
  } catch (error) {
    log("warn", "queue without metrics", { stack: stackOf(error) });
    return null;
  }
}

/** The metrics; null when their object does not answer, because the rest of the status still helps. */
async function readMetrics(c: RequestContext): Promise<MetricsReading | null> {
  try {
    return await countObjectCall(c, openMetrics(c.env.METRICS).read());
  } catch (error) {
    log("warn", "metrics not read", { stack: stackOf(error) });
    return null;
  }
}

/** The last run of each job, without those of shards that the deployment no longer has. */
const viewJobs = (metrics: MetricsReading | null, shards: readonly string[]) =>
  (metrics?.jobRuns ?? [])
    .filter(({ shard }) => shard === null || shards.includes(shard))
    .map(({ job, shard, at, backlogMs }) => ({
      name: job,
      shard,
      last_run_at: iso(at),
      backlog_age_seconds: Math.max(0, Math.round(backlogMs / second)),
    }))
    .toSorted((a, b) => `${a.name} ${a.shard}`.localeCompare(`${b.name} ${b.shard}`));
