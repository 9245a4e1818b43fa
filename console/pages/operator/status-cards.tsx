import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Table } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import type { OperatorStatus } from "./operator-api.ts";

type StatusProps = Readonly<{ status: OperatorStatus }>;

const bytesPerMegabyte = 1_000_000;
/** Cron runs each minute; a job that waits for longer does not keep up. */
const lateAfterSeconds = 300;

/** The databases, and how much room they have. */
export function ShardsCard({ status: { shards, version } }: StatusProps) {
  const format = useFormat();
  return (
    <Card title="Shards" isFlush>
      <Table
        label="Shards"
        rows={shards}
        keyOf={({ name }) => name}
        columns={[
          {
            name: "Shard",
            cell: ({ name, is_full: isFull, schema }) => (
              <>
                <strong>{name}</strong> {isFull && <Badge tone="danger">Full</Badge>}
                <p className="small muted">{schema}</p>
              </>
            ),
          },
          {
            name: "Size",
            kind: "number",
            cell: ({ bytes, bytes_limit: limit }) =>
              `${format.number(Math.ceil(bytes / bytesPerMegabyte))} of ${format.number(limit / bytesPerMegabyte)} MB`,
          },
          { name: "Rows", kind: "number", cell: ({ rows }) => `${format.number(rows)} rows` },
          {
            name: "Businesses",
            kind: "number",
            cell: ({ businesses }) =>
              `${format.number(businesses)} ${businesses === 1 ? "business" : "businesses"}`,
          },
        ]}
      />
      <p className="card-body small muted">
        Version {version.code}, schema {version.schema ?? "unknown"}
      </p>
    </Card>
  );
}

/** When each background job ran, and whether it keeps up. */
export function JobsCard({ status: { jobs } }: StatusProps) {
  const format = useFormat();
  return (
    <Card title="Background jobs" isFlush>
      {jobs.length === 0 ? (
        <EmptyState icon="subscriptions" title="No runs yet">
          <p className="muted">Jobs appear after their first run, a minute after the start.</p>
        </EmptyState>
      ) : (
        <Table
          label="Background jobs"
          rows={jobs}
          keyOf={({ name, shard }) => `${name} ${shard}`}
          columns={[
            {
              name: "Job",
              cell: ({ name, shard }) => (
                <>
                  <strong>{name}</strong> <span className="muted">{shard ?? "CORE"}</span>
                </>
              ),
            },
            { name: "Last run", cell: ({ last_run_at: at }) => format.age(at) },
            {
              name: "Backlog",
              kind: "number",
              cell: ({ backlog_age_seconds: seconds }) =>
                seconds > lateAfterSeconds ? (
                  <Badge tone="danger">{`${format.number(seconds)} s`}</Badge>
                ) : (
                  `${format.number(seconds)} s`
                ),
            },
          ]}
        />
      )}
    </Card>
  );
}

/** What keeps failing. The card is missing in a healthy deployment. */
export function FailingCard({ status }: StatusProps) {
  const format = useFormat();
  const { failing_records: records, missing_providers: providers } = status;
  if (records.length === 0 && providers.length === 0) return null;
  const rows = [
    ...records.map(({ job, record, failures, first_failed_at: since }) => ({
      what: record,
      why: `${job} has failed ${failures} times`,
      since,
    })),
    ...providers.map(({ business_id, provider, orders, oldest_order_at: since }) => ({
      what: business_id,
      why: `${orders} orders wait for ${provider}, which has no key`,
      since,
    })),
  ];
  return (
    <Card title="Needs you" isFlush>
      <Table
        label="What needs the operator"
        rows={rows}
        keyOf={({ what, why }) => `${what} ${why}`}
        columns={[
          { name: "Record", cell: ({ what }) => <strong>{what}</strong> },
          { name: "Why", isWide: true, cell: ({ why }) => why },
          { name: "Since", kind: "tight", cell: ({ since }) => format.age(since) },
        ]}
      />
    </Card>
  );
}
