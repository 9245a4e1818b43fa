import type { BusinessSchemas } from "@duka/sdk/business";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, Fact } from "../../ui/card.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";
import { intervalText, type Subscription, SubscriptionBadges } from "./subscription-status.tsx";

type Detail = BusinessSchemas["SubscriptionDetail"];

/** One subscription: its plan, what is delivered, and its invoices. */
export function SubscriptionPage() {
  const { api } = useShop();
  const { subscriptionId } = useParams({ from: "/$businessId/subscriptions/$subscriptionId" });
  const query = useRecord({
    key: ["subscriptions", subscriptionId],
    get: (options) => api.subscriptions.get(subscriptionId, options),
  });
  return <Loaded query={query}>{(detail) => <DetailView detail={detail} />}</Loaded>;
}

function DetailView({ detail }: Readonly<{ detail: Detail }>) {
  const { can } = useShop();
  const format = useFormat();
  const [isCancelling, setIsCancelling] = useState(false);
  const { subscription, plan, items } = detail;
  return (
    <>
      <PageHead title={plan.name} badges={<SubscriptionBadges subscription={subscription} />}>
        {can("orders:write") && subscription.status !== "cancelled" && (
          <Button onClick={() => setIsCancelling(true)}>Cancel subscription</Button>
        )}
      </PageHead>
      <p className="muted">
        {format.money(subscription.amount, subscription.currency)} {intervalText(plan)} · since{" "}
        {format.date(subscription.created_at)}
      </p>
      <div className="columns">
        <div className="stack">
          <Card title="Items" isFlush>
            <Table
              label="Items"
              rows={items}
              keyOf={({ product_id, variant_id }) => variant_id ?? product_id}
              columns={[
                {
                  name: "Item",
                  cell: ({ product_name, variant_name }) =>
                    [product_name, variant_name].filter(Boolean).join(" · "),
                },
                {
                  name: "Price",
                  kind: "number",
                  cell: ({ quantity, unit_price }) =>
                    `${quantity} × ${format.money(unit_price, subscription.currency)}`,
                },
              ]}
            />
          </Card>
          <InvoicesCard detail={detail} />
        </div>
        <FactsCard detail={detail} />
      </div>
      {isCancelling && (
        <CancelDialog subscription={subscription} onClose={() => setIsCancelling(false)} />
      )}
    </>
  );
}

const invoiceStatuses = {
  open: { name: "Open", tone: "warning" },
  paid: { name: "Paid", tone: "success" },
  void: { name: "Void", tone: "neutral" },
} as const;

function InvoicesCard({ detail: { recent_invoices: invoices } }: Readonly<{ detail: Detail }>) {
  const format = useFormat();
  return (
    <Card title="Invoices" isFlush>
      {invoices.length === 0 ? (
        <p className="muted">The first invoice comes after the trial.</p>
      ) : (
        <Table
          label="Invoices"
          rows={invoices}
          keyOf={({ id }) => id}
          columns={[
            {
              name: "Period",
              cell: ({ order_id: orderId, period_start: start, period_end: end }) => (
                <Link
                  className="row-link"
                  to="/$businessId/orders/$orderId"
                  from="/$businessId"
                  params={{ orderId }}
                >
                  {format.date(start)} – {format.date(end)}
                </Link>
              ),
            },
            {
              name: "Amount",
              kind: "number",
              cell: (invoice) => format.money(invoice.amount_due, invoice.currency),
            },
            {
              name: "Status",
              cell: ({ status }) => (
                <Badge tone={invoiceStatuses[status].tone}>{invoiceStatuses[status].name}</Badge>
              ),
            },
          ]}
        />
      )}
    </Card>
  );
}

function FactsCard({ detail: { subscription, next_invoice: next } }: Readonly<{ detail: Detail }>) {
  const format = useFormat();
  return (
    <Card title="Subscription">
      <dl className="facts">
        <CustomerFact id={subscription.customer_id} />
        {next && (
          <Fact name="Next charge">
            {format.money(next.amount_due, subscription.currency)} on{" "}
            {format.date(next.scheduled_at)}
          </Fact>
        )}
        <Fact name="Period">
          {format.date(subscription.current_period_start)} –{" "}
          {format.date(subscription.current_period_end)}
        </Fact>
        {subscription.trial_ends_at && (
          <Fact name="Trial ends">{format.date(subscription.trial_ends_at)}</Fact>
        )}
        {subscription.cancelled_at && (
          <Fact name="Cancelled">{format.moment(subscription.cancelled_at)}</Fact>
        )}
        {subscription.cancellation_reason && (
          <Fact name="Reason">{subscription.cancellation_reason}</Fact>
        )}
        <Fact name="First order">
          <Link
            to="/$businessId/orders/$orderId"
            from="/$businessId"
            params={{ orderId: subscription.order_id }}
          >
            Show the order
          </Link>
        </Fact>
      </dl>
    </Card>
  );
}

/** Whose subscription it is, when the role may read customers. */
function CustomerFact({ id }: Readonly<{ id: string }>) {
  const { api, can } = useShop();
  const mayRead = can("customers:read");
  const { data: customer } = useRecord({
    key: ["customers", id],
    get: (options) => api.customers.get(id, options),
    isEnabled: mayRead,
  });
  if (!mayRead) return null;
  return (
    <Fact name="Customer">
      <Link to="/$businessId/customers/$customerId" from="/$businessId" params={{ customerId: id }}>
        {customer?.name ?? customer?.email ?? customer?.phone ?? "Show the customer"}
      </Link>
    </Fact>
  );
}

const ends = [
  { value: "at_period_end", name: "When the period ends" },
  { value: "now", name: "Now" },
] as const;

type CancelValues = Readonly<{ when: (typeof ends)[number]["value"]; reason: string }>;

function CancelDialog({
  subscription,
  onClose,
}: Readonly<{ subscription: Subscription; onClose: () => void }>) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const first: CancelValues = { when: "at_period_end", reason: "" };
  const form = useForm(first, async ({ when, reason }) => {
    await api.subscriptions.cancel(subscription.id, { when, ...(reason !== "" && { reason }) });
    await queryClient.invalidateQueries();
  });
  return (
    <FormDialog
      title="Cancel the subscription"
      action="Cancel the subscription"
      form={form}
      isDanger
      onClose={onClose}
    >
      <p>What was paid stays paid, and nothing is charged after the end.</p>
      <Select label="It ends" options={ends} {...form.field("when")} />
      <TextField label="Reason" maxLength={500} {...form.field("reason")} />
    </FormDialog>
  );
}
