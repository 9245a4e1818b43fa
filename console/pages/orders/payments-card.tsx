import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useShop } from "../../api/shop.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { Checkbox, MoneyField, TextField } from "../../ui/field.tsx";
import { Table } from "../../ui/table.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useForm } from "../../ui/use-form.ts";
import { useFormat } from "../../ui/use-format.ts";
import { type Order, paymentStates } from "./order-status.tsx";

/** The attempts to pay an order, its refunds, and what can be done about money. */
export function PaymentsCard({ order }: Readonly<{ order: Order }>) {
  const { can } = useShop();
  const format = useFormat();
  const { payment, payments, currency } = order;
  return (
    <Card
      title="Payments"
      actions={can("payments:write") && <PaymentActions order={order} />}
      isFlush
    >
      {payment.mismatch && (
        <p className="notice danger">
          The provider captured {format.money(payment.mismatch.amount, payment.mismatch.currency)}{" "}
          instead of {format.money(payment.amount, payment.currency)}. Check it with the provider.
        </p>
      )}
      <Table
        label="Payments"
        rows={payments}
        keyOf={({ payment_reference: reference }) => reference}
        columns={[
          { name: "Method", cell: (one) => one.payment_method.replace("_", " ") },
          { name: "Amount", kind: "number", cell: (one) => format.money(one.amount, one.currency) },
          {
            name: "Status",
            cell: ({ provider_status: state }) => (
              <Badge tone={paymentStates[state].tone}>{paymentStates[state].name}</Badge>
            ),
          },
          { name: "Begun", kind: "tight", cell: (one) => format.moment(one.created_at) },
        ]}
      />
      {payment.refunds.length > 0 && (
        <Table
          label="Refunds"
          rows={payment.refunds}
          keyOf={({ id }) => id}
          columns={[
            { name: "Refund", cell: ({ reason }) => reason ?? "Refund" },
            {
              name: "Amount",
              kind: "number",
              cell: ({ amount }) => `−${format.money(amount, currency)}`,
            },
            {
              name: "Status",
              cell: (refund) => <RefundStatus orderId={order.id} refund={refund} />,
            },
            { name: "Created", kind: "tight", cell: (refund) => format.moment(refund.created_at) },
          ]}
        />
      )}
    </Card>
  );
}

type Refund = Order["payment"]["refunds"][number];

const refundStates = {
  pending: { name: "On its way", tone: "info" },
  refund_due: { name: "To be paid by you", tone: "warning" },
  refunded: { name: "Refunded", tone: "success" },
  failed: { name: "Failed", tone: "danger" },
} as const;

function RefundStatus({ orderId, refund }: Readonly<{ orderId: string; refund: Refund }>) {
  const { api, can } = useShop();
  const change = useChange();
  const { name, tone } = refundStates[refund.status];
  return (
    <div className="row">
      <Badge tone={tone}>{name}</Badge>
      {refund.failure_reason && <span className="small muted">{refund.failure_reason}</span>}
      {refund.status === "refund_due" && can("payments:write") && (
        <Button
          isBusy={change.isBusy}
          onClick={() =>
            void change.run(
              () => api.orders.markRefundPaid(orderId, refund.id),
              "Refund marked as paid.",
            )
          }
        >
          Mark as paid
        </Button>
      )}
    </div>
  );
}

const unpaid = new Set(["pending", "requires_action", "processing", "failed", "cancelled"]);

function PaymentActions({ order }: Readonly<{ order: Order }>) {
  const { api } = useShop();
  const change = useChange();
  const [dialog, setDialog] = useState<"refund" | "paid">();
  const state = order.payment.provider_status;
  const isUnpaid = unpaid.has(state) && order.status !== "cancelled";
  return (
    <>
      {isUnpaid && (
        <>
          <Button
            icon="link"
            isBusy={change.isBusy}
            onClick={() =>
              void change.run(async () => {
                const { data } = await api.orders.createPaymentLink(order.id);
                await navigator.clipboard.writeText(data.url);
              }, "The payment link is in the clipboard.")
            }
          >
            Copy payment link
          </Button>
          <Button onClick={() => setDialog("paid")}>Mark as paid</Button>
        </>
      )}
      {(state === "captured" || state === "partially_refunded") && (
        <Button onClick={() => setDialog("refund")}>Refund</Button>
      )}
      {dialog === "refund" && <RefundDialog order={order} onClose={() => setDialog(undefined)} />}
      {dialog === "paid" && <MarkPaidDialog order={order} onClose={() => setDialog(undefined)} />}
    </>
  );
}

type DialogProps = Readonly<{ order: Order; onClose: () => void }>;

function RefundDialog({ order, onClose }: DialogProps) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const form = useForm({ amount: "", reason: "", restock: false }, async (values) => {
    await api.orders.refund(order.id, {
      restock: values.restock,
      ...(values.amount !== "" && { amount: values.amount.trim() }),
      ...(values.reason !== "" && { reason: values.reason }),
    });
    await queryClient.invalidateQueries();
  });
  return (
    <FormDialog
      title={`Refund ${order.order_number}`}
      action="Refund"
      form={form}
      onClose={onClose}
    >
      <MoneyField
        label="Amount"
        currency={order.payment.currency}
        hint="Left empty, everything that is left is refunded."
        {...form.field("amount")}
      />
      <TextField label="Reason" maxLength={500} {...form.field("reason")} />
      <Checkbox label="Put the items back into stock" {...form.field("restock")} />
    </FormDialog>
  );
}

function MarkPaidDialog({ order, onClose }: DialogProps) {
  const { api } = useShop();
  const queryClient = useQueryClient();
  const form = useForm({ method: "cash", reference: "" }, async ({ method, reference }) => {
    await api.orders.markPaid(order.id, { method, ...(reference !== "" && { reference }) });
    await queryClient.invalidateQueries();
  });
  return (
    <FormDialog title="Mark as paid" action="Mark as paid" form={form} onClose={onClose}>
      <TextField label="How it was paid" required maxLength={40} {...form.field("method")} />
      <TextField
        label="Reference"
        hint="Such as the number of a bank transfer. It can be left out."
        maxLength={200}
        {...form.field("reference")}
      />
    </FormDialog>
  );
}
