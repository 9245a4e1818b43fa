import type { BusinessSchemas } from "@duka/sdk/business";
import { useQueryClient } from "@tanstack/react-query";
import { useShop } from "../../api/shop.ts";
import { ArchiveButton } from "../../ui/archive-button.tsx";
import { FormDialog } from "../../ui/dialog.tsx";
import { MoneyField, Select, TextField } from "../../ui/field.tsx";
import { useForm } from "../../ui/use-form.ts";

type Plan = BusinessSchemas["BillingPlan"];

const intervals = [
  { value: "day", name: "Days" },
  { value: "week", name: "Weeks" },
  { value: "month", name: "Months" },
  { value: "year", name: "Years" },
] as const;

/** Creates a plan, or changes one. Running subscriptions keep the price that was agreed. */
export function PlanDialog({
  plan,
  onClose,
}: Readonly<{ plan: Plan | null; onClose: () => void }>) {
  const { api, membership } = useShop();
  const queryClient = useQueryClient();
  const form = useForm(
    {
      name: plan?.name ?? "",
      price: plan?.price ?? "",
      interval: plan?.interval ?? ("month" as Plan["interval"]),
      interval_count: String(plan?.interval_count ?? 1),
      trial_days: String(plan?.trial_days ?? 0),
      min_quantity: String(plan?.min_quantity ?? 1),
      min_order_value: plan?.min_order_value ?? "0",
    },
    async (values) => {
      const fields = {
        ...values,
        interval_count: Number(values.interval_count),
        trial_days: Number(values.trial_days),
        min_quantity: Number(values.min_quantity),
      };
      await (plan ? api.billingPlans.update(plan.id, fields) : api.billingPlans.create(fields));
      await queryClient.invalidateQueries();
    },
  );
  return (
    <FormDialog
      title={plan ? plan.name : "New plan"}
      action={plan ? "Save" : "Create plan"}
      form={form}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={200} {...form.field("name")} />
      <div className="fields">
        <MoneyField
          label="Price"
          currency={membership.currency}
          required
          {...form.field("price")}
        />
        <TextField
          label="Charged every …"
          type="number"
          required
          {...form.field("interval_count")}
        />
        <Select label="Period" options={intervals} {...form.field("interval")} />
        <TextField
          label="Free trial in days"
          type="number"
          required
          {...form.field("trial_days")}
        />
        <TextField
          label="Smallest quantity"
          type="number"
          required
          {...form.field("min_quantity")}
        />
        <MoneyField
          label="Smallest order"
          currency={membership.currency}
          required
          {...form.field("min_order_value")}
        />
      </div>
      {plan && (
        <div className="row">
          <ArchiveButton
            name={plan.name}
            archive={() => api.billingPlans.archive(plan.id)}
            onArchived={async () => onClose()}
          >
            It is offered no longer. Subscriptions that use it continue at their agreed price.
          </ArchiveButton>
        </div>
      )}
    </FormDialog>
  );
}
