import { z } from "@hono/zod-openapi";

const count = (description: string) => z.number().int().openapi({ description });
const time = (description: string) => z.string().nullable().openapi({ description });

const ShardView = z.object({
  shard: z.string(),
  name: z.string(),
  bytes: count("The size of the database."),
  size_bytes: count("The same as `bytes`."),
  bytes_limit: count("The largest size of a database."),
  is_full: z.boolean().openapi({ description: "Whether the shard refuses writes." }),
  rows: count("The most rows that its tables may have."),
  businesses: count("The businesses whose data it holds."),
  schema: time("The newest migration of the database; null when it keeps no list of them."),
});

const QueueView = z.object({
  messages: count("The messages that wait in the queue of events."),
  bytes: count("Their size."),
  oldest_message_at: time("When the oldest one was sent; null when none waits."),
});

const JobView = z.object({
  name: z.string(),
  shard: z.string().nullable().openapi({ description: "Null for a job on CORE." }),
  last_run_at: z.string(),
  backlog_age_seconds: count("For how long the oldest record was due when that run began."),
});

export const OperatorStatusView = z
  .object({
    shards: z.array(ShardView),
    oldest_undelivered_event: time("Since when an event waits for its delivery; null for none."),
    queue: QueueView.nullable(),
    dead_letters: count("Messages that a queue gave up on and that wait for the operator."),
    unpaid_holds_overdue: count("Unpaid orders after their deadline, which still hold stock."),
    renewals_behind: count("Subscriptions whose renewal is due."),
    provider_errors: z.number().int().nullable().openapi({
      description: "Failed calls of external providers in the last 15 minutes.",
    }),
    jobs: z.array(JobView),
    version: z.object({ schema: z.string().nullable(), code: z.string() }),
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
