import type { BusinessSchemas } from "@duka/sdk/business";
import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHead } from "../../ui/page.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import type { Column } from "../../ui/table.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { PlanDialog } from "./plan-dialog.tsx";
import { intervalText } from "./subscription-status.tsx";

type Plan = BusinessSchemas["BillingPlan"];

/** The plans by which shoppers can subscribe to products. */
export function PlansPage() {
  const { api, can } = useShop();
  const format = useFormat();
  const { cursor } = useSearch({ from: "/$businessId/plans" });
  const [opened, setOpened] = useState<Plan | "new">();
  const query = useListPage({
    key: ["plans", cursor],
    list: () => api.billingPlans.list({ cursor, limit: 50 }),
  });
  const mayWrite = can("catalogue:write");
  const columns: readonly Column<Plan>[] = [
    {
      name: "Plan",
      cell: (plan) =>
        mayWrite ? (
          <button type="button" className="row-link link" onClick={() => setOpened(plan)}>
            {plan.name}
          </button>
        ) : (
          plan.name
        ),
    },
    {
      name: "Price",
      kind: "number",
      cell: (plan) => `${format.money(plan.price, plan.currency)} ${intervalText(plan)}`,
    },
    {
      name: "Trial",
      cell: ({ trial_days: days }) => (days === 0 ? "No trial" : `${days} days free`),
    },
    {
      name: "Smallest order",
      kind: "number",
      cell: ({ min_quantity: quantity, min_order_value: value, currency }) =>
        [quantity > 1 && `${quantity} units`, Number(value) > 0 && format.money(value, currency)]
          .filter(Boolean)
          .join(", ") || "–",
    },
  ];
  return (
    <>
      <PageHead title="Plans">
        {mayWrite && (
          <Button look="primary" icon="plus" onClick={() => setOpened("new")}>
            New plan
          </Button>
        )}
      </PageHead>
      <div className="card">
        <RecordList
          label="Plans"
          query={query}
          columns={columns}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon="subscriptions" title="No plans yet">
              <p className="muted">
                A plan says what a subscription costs and how often it is charged. Products name the
                plans that they offer.
              </p>
            </EmptyState>
          }
        />
      </div>
      {opened && (
        <PlanDialog plan={opened === "new" ? null : opened} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}
