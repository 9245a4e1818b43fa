import type { Db } from "../../../shared/database/index.ts";
import { findRefusal, type Runtime } from "../../../shared/kernel/index.ts";
import {
  cancelUnpaidOrders,
  checkUnpaid,
  claimExpiredOrders,
  type ExpiredOrder,
  findMissingProvider,
  loadExpiredOrders,
  type OrderContext,
  type OrderDetails,
  type OrderWithoutProvider,
  postponeWithoutProvider,
  type UnpaidOrder,
} from "../../../shared/orders/index.ts";
import { log } from "../../runtime/log.ts";
import { type BackgroundContext, reportError } from "../context.ts";
import type { JobResult } from "../runs/batches.ts";
import { isTemporaryRefusal } from "../runs/failed-records.ts";
import {
  processConcurrently,
  type RecordTask,
  splitOnError,
} from "../runs/process-concurrently.ts";

const job = "expire-orders";
const ordersPerBatch = 100;
/**
 * An order shares the queries of its batch. In test mode a query asks the sandbox; an order that
 * turns out to be paid is changed on its own.
 */
const expiryQueries = { perBatch: 40, perRecord: 1, maxPerRecord: 24 } as const;
const reason = "The payment did not arrive in time.";

/**
 * Cancels orders that were not paid in time and releases their stock
 * (docs/contract/storefront.md#unpaid-order-expiry). The providers are called concurrently, and the
 * orders that they report as unpaid are cancelled together. An order whose provider cannot be asked
 * is kept.
 */
export async function expireOrders(
  background: BackgroundContext,
  shard: string,
): Promise<JobResult> {
  const db = background.dbOf(shard);
  const missing = createMissingProviderReport(db, background.runtime);
  const unpaid: UnpaidOrder[] = [];
  /** Businesses whose provider did not respond; their other orders wait for a later run. */
  const silent = new Set<string>();

  /** Reports an error, unless a later run may succeed: the claim made the order due again. */
  function reportFailure(order: string, error: unknown): void {
    background.failedRecords.add({ job, shard, record: order }, error);
    if (!isTemporaryRefusal(error)) reportError("order not expired", { order }, error);
  }

  async function checkOrder(ctx: OrderContext, details: OrderDetails): Promise<void> {
    if (silent.has(ctx.business.id)) return;
    try {
      const check = await checkUnpaid(ctx, details);
      if (check.type === "unpaid") unpaid.push({ ctx, check });
    } catch (error) {
      if (findRefusal(error)?.code === "SERVICE_UNAVAILABLE") silent.add(ctx.business.id);
      reportFailure(details.order.id, error);
    }
  }

  async function loadTasks(claimed: readonly ExpiredOrder[]): Promise<readonly RecordTask[]> {
    const contexts = await background.loadOrderContexts(
      claimed.map(({ businessId }) => businessId),
      job,
    );
    const tasks: RecordTask[] = [];
    await splitOnError(
      claimed,
      async (some) => {
        const orders = await loadExpiredOrders(db, some);
        for (const order of some) {
          const details = orders.get(order.id);
          const ctx = contexts.get(order.businessId); // missing when the business was deleted
          if (!ctx || !details || !isStillClaimed(details, order.claimedUntil)) continue;
          const provider = findMissingProvider(ctx, details);
          if (provider !== null) missing.add({ ...order, provider });
          else tasks.push({ ...order, run: () => checkOrder(ctx, details) });
        }
      },
      { mayRetry, report: ({ id }, error) => reportFailure(id, error) },
    );
    await missing.postpone();
    return tasks;
  }

  const mayRetry = (error: unknown): boolean =>
    findRefusal(error)?.code !== "SERVICE_UNAVAILABLE" &&
    background.queries.remaining() >= expiryQueries.perBatch;

  const result = await processConcurrently(background, {
    batchSize: ordersPerBatch,
    claim: (range) => claimExpiredOrders(db, range),
    bytesOf: ({ bytes }) => bytes,
    prepare: loadTasks,
    flush: () =>
      splitOnError(unpaid.splice(0), (orders) => cancelUnpaidOrders(db, orders, reason), {
        mayRetry,
        report: ({ check }, error) => reportFailure(check.details.order.id, error),
      }),
    queries: expiryQueries,
  });
  missing.log();
  return result;
}

/** Whether the order's payment deadline is the same as when this job claimed the order. */
const isStillClaimed = ({ order }: OrderDetails, claimedUntil: number | null): boolean =>
  order.expiresAt !== null && order.expiresAt === claimedUntil;

/** Collects the orders of one run whose provider this Worker has no key for. */
type MissingProviderReport = Readonly<{
  add(order: OrderWithoutProvider): void;
  /** Postpones the orders that were added since the last call. */
  postpone(): Promise<void>;
  /** Writes one line for each business and provider. */
  log(): void;
}>;

function createMissingProviderReport(db: Db, { now }: Pick<Runtime, "now">): MissingProviderReport {
  const counts = new Map<string, { business: string; provider: string; orders: number }>();
  let added: OrderWithoutProvider[] = [];
  return {
    add(order) {
      added.push(order);
      const { businessId: business, provider } = order;
      const key = `${business} ${provider}`;
      const counted = counts.get(key) ?? { business, provider, orders: 0 };
      counts.set(key, { ...counted, orders: counted.orders + 1 });
    },
    async postpone() {
      const waiting = added;
      added = [];
      await postponeWithoutProvider(db, waiting, now());
    },
    log() {
      for (const facts of counts.values())
        log("error", "orders wait for a provider without a key", facts);
    },
  };
}
