import { Link, useSearch } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useAll } from "../../api/use-all.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { type Subscription, SubscriptionBadges } from "./subscription-status.tsx";

/** The subscriptions of the shop's customers, newest first. */
export function SubscriptionsPage() {
  const { api } = useShop();
  const search = useSearch({ from: "/$businessId/subscriptions" });
  const query = useListPage({
    key: ["subscriptions", search],
    list: () => api.subscriptions.list({ ...search, limit: 50 }),
  });
  return (
    <>
      <PageHead title="Subscriptions" />
      <div className="card">
        <RecordList
          label="Subscriptions"
          query={query}
          columns={useColumns()}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon="subscriptions" title="No subscriptions yet">
              <p className="muted">
                Give a product a{" "}
                <Link to="/$businessId/plans" from="/$businessId">
                  plan
                </Link>
                , so that shoppers can subscribe to it.
              </p>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}

function useColumns(): readonly Column<Subscription>[] {
  const { api, can } = useShop();
  const format = useFormat();
  const { data: planNames } = useAll({
    key: ["plans"],
    list: () => api.billingPlans.list({ limit: 100 }),
    select: (plans) => new Map(plans.map(({ id, name }) => [id, name])),
    isEnabled: can("catalogue:read"),
  });
  return [
    {
      name: "Plan",
      cell: ({ id, billing_plan_id: planId }) => (
        <Link
          className="row-link"
          to="/$businessId/subscriptions/$subscriptionId"
          from="/$businessId"
          params={{ subscriptionId: id }}
        >
          {planNames?.get(planId) ?? "Subscription"}
        </Link>
      ),
    },
    { name: "Amount", kind: "number", cell: (one) => format.money(one.amount, one.currency) },
    {
      name: "Status",
      cell: (subscription) => (
        <div className="row">
          <SubscriptionBadges subscription={subscription} />
        </div>
      ),
    },
    {
      name: "Period ends",
      kind: "tight",
      cell: ({ current_period_end: end }) => <time dateTime={end}>{format.date(end)}</time>,
    },
    {
      name: "Since",
      kind: "tight",
      isHiddenOnPhone: true,
      cell: ({ created_at: at }) => <time dateTime={at}>{format.date(at)}</time>,
    },
  ];
}
