import { useQuery } from "@tanstack/react-query";
import { useMe } from "../../api/me.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { Figures } from "../reports/figures.tsx";
import { BooksCard } from "./books-card.tsx";
import { DeadLettersCard } from "./dead-letters-card.tsx";
import { type OperatorStatus, operatorApi, operatorKey } from "./operator-api.ts";
import { FailingCard, JobsCard, ShardsCard } from "./status-cards.tsx";
import "../reports/reports.css";

const refreshMs = 15_000;

/** The state of the whole deployment, for the logins that may make operator calls. */
export function OperatorPage() {
  const { user } = useMe();
  const query = useQuery({
    queryKey: [operatorKey, "status"],
    queryFn: async ({ signal }) => (await operatorApi.deployment.getStatus({ signal })).data,
    refetchInterval: refreshMs,
    enabled: user.is_operator,
  });
  if (!user.is_operator) {
    return (
      <>
        <PageHead title="Operator" />
        <div className="card">
          <EmptyState icon="audit" title="This page is for operators">
            <p className="muted">The operator names them with POST /v1/operator/operators.</p>
          </EmptyState>
        </div>
      </>
    );
  }
  return (
    <>
      <PageHead title="Operator">
        <a className="button normal" href="/v1/operator/metrics" target="_blank" rel="noreferrer">
          Metrics
        </a>
      </PageHead>
      <Loaded query={query}>
        {(status) => (
          <>
            <StatusFigures status={status} />
            <ShardsCard status={status} />
            <FailingCard status={status} />
          </>
        )}
      </Loaded>
      <DeadLettersCard />
      <BooksCard />
      {query.data && <JobsCard status={query.data} />}
    </>
  );
}

function StatusFigures({ status }: Readonly<{ status: OperatorStatus }>) {
  const format = useFormat();
  const { oldest_undelivered_event: oldest, provider_errors: errors, queue } = status;
  return (
    <Figures
      figures={[
        { name: "Dead letters", value: format.number(status.dead_letters) },
        { name: "Unpaid orders overdue", value: format.number(status.unpaid_holds_overdue) },
        { name: "Renewals behind", value: format.number(status.renewals_behind) },
        {
          name: "Provider errors in 15 minutes",
          value: errors === null ? "–" : format.number(errors),
        },
        { name: "Messages in the queue", value: queue ? format.number(queue.messages) : "–" },
        { name: "Oldest undelivered event", value: oldest === null ? "None" : format.age(oldest) },
      ]}
    />
  );
}
