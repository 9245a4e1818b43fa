import { z } from "@hono/zod-openapi";
import { jobFailureRepo, readDatabaseSize } from "../../../../shared/database/index.ts";
import { iso } from "../../../../shared/kernel/index.ts";
import { listMissingProviders } from "../../../../shared/orders/index.ts";
import { reconciliationRepo } from "../../../../shared/reconciliation/index.ts";
import { createRoutes } from "../../../http/app.ts";
import { operator } from "../../../http/authentication/access.ts";
import { envelope, route } from "../../../http/contract.ts";
import { createPage, Page, pageQuery, parseIdPosition } from "../../../wire/paging.ts";
import { createOperatorContext, type OpenShard, openShards } from "../../context.ts";
import { DifferenceView, viewDifference } from "../../views/settings/reconciliation.ts";

/** So many businesses of each shard are named; the operator mends the cause for all at once. */
const maxBusinessesPerShard = 100;
const maxFailingRecords = 100;

const OperatorStatusView = z
  .object({
    shards: z.array(
      z.object({
        shard: z.string(),
        size_bytes: z.number().int(),
        is_full: z.boolean().openapi({ description: "Whether the shard refuses writes." }),
      }),
    ),
    missing_providers: z.array(
      z.object({
        business_id: z.string(),
        provider: z.string(),
        orders: z.number().int(),
        oldest_order_at: z.string(),
      }),
    ),
    failing_records: z.array(
      z.object({
        job: z.string(),
        shard: z.string().nullable(),
        record: z.string(),
        failures: z.number().int(),
        first_failed_at: z.string(),
        last_failed_at: z.string(),
      }),
    ),
    reconciliations: z.array(
      z.object({
        account: z.string(),
        reconciled_until: z.string().nullable(),
        is_running: z.boolean(),
        next_run_at: z.string(),
        differences: z.number().int(),
      }),
    ),
  })
  .openapi("OperatorStatus");

/** What in the deployment needs the operator (docs/contract/operator.md#operator-status). */
export const operatorStatus = createRoutes()
  .openapi(
    route("get", "/v1/operator/status", {
      operationId: "getOperatorStatus",
      tag: "Businesses",
      summary: "Show what needs the operator",
      access: operator,
      response: OperatorStatusView,
    }),
    async (c) => {
      const { core, now } = createOperatorContext(c);
      const [accounts, failing, ...states] = await Promise.all([
        reconciliationRepo(core).listAccounts(now()),
        jobFailureRepo(core).listFailing({ now: now(), limit: maxFailingRecords }),
        ...openShards(c).map(loadShardState),
      ]);
      const shards = states.map(({ shard, size }) => ({
        shard,
        size_bytes: size.bytes,
        is_full: size.isFull,
      }));
      const missing_providers = states
        .flatMap(({ missingProviders }) => missingProviders)
        .map(({ businessId, provider, orders, oldestAt }) => ({
          business_id: businessId,
          provider,
          orders,
          oldest_order_at: iso(oldestAt),
        }));
      const reconciliations = accounts.map((one) => ({
        account: one.account,
        reconciled_until: one.reconciledUntil === null ? null : iso(one.reconciledUntil),
        is_running: one.position !== null,
        next_run_at: iso(one.dueAt),
        differences: one.differences,
      }));
      const failing_records = failing.map((one) => ({
        job: one.job,
        shard: one.shard,
        record: one.record,
        failures: one.failures,
        first_failed_at: iso(one.firstFailedAt),
        last_failed_at: iso(one.lastFailedAt),
      }));
      const status = { shards, missing_providers, failing_records, reconciliations };
      return c.json(envelope(status), 200);
    },
  )
  .openapi(
    route("get", "/v1/operator/reconciliation/differences", {
      operationId: "listReconciliationDifferences",
      tag: "Businesses",
      summary: "List where a provider's books differ from ours, newest first",
      access: operator,
      query: z.object(pageQuery),
      response: Page(DifferenceView),
    }),
    async (c) => {
      const { limit, cursor } = c.req.valid("query");
      const { core } = createOperatorContext(c);
      const before = parseIdPosition(cursor, "rdf_");
      const found = await reconciliationRepo(core).list({ limit: limit + 1, before });
      return c.json(
        envelope(createPage(found, { limit, view: viewDifference, position: ({ id }) => id })),
        200,
      );
    },
  );

async function loadShardState({ shard, db }: OpenShard) {
  const [size, missingProviders] = await Promise.all([
    readDatabaseSize(db),
    listMissingProviders(db, maxBusinessesPerShard),
  ]);
  return { shard, size, missingProviders };
}
