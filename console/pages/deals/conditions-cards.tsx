import { useShop } from "../../api/shop.ts";
import { useAll } from "../../api/use-all.ts";
import { Card } from "../../ui/card.tsx";
import { CheckList } from "../../ui/check-list.tsx";
import { MoneyField, TextField } from "../../ui/field.tsx";
import type { DealClass } from "./deal-values.ts";
import type { DealForm } from "./discount-card.tsx";

type DealCardProps = Readonly<{ form: DealForm }>;

/** When a deal begins and ends. */
export function ScheduleCard({ form }: DealCardProps) {
  const { membership } = useShop();
  return (
    <Card title="Schedule">
      <div className="fields">
        <TextField
          label="Begins"
          type="datetime-local"
          hint="Left empty, it holds at once."
          {...form.field("starts_at")}
        />
        <TextField
          label="Ends"
          type="datetime-local"
          hint={`Times are those of ${membership.timezone}.`}
          {...form.field("ends_at")}
        />
      </div>
    </Card>
  );
}

/** How often a deal is given, and from which order on. */
export function LimitsCard({ form }: DealCardProps) {
  const { membership } = useShop();
  return (
    <Card title="Limits">
      <div className="fields">
        <MoneyField
          label="Smallest order"
          currency={membership.currency}
          {...form.field("min_order_subtotal")}
        />
        <MoneyField
          label="Largest discount"
          currency={membership.currency}
          {...form.field("max_discount")}
        />
        <TextField
          label="Uses in all"
          inputMode="numeric"
          hint="Left empty, there is no limit."
          {...form.field("usage_limit")}
        />
        <TextField
          label="Uses of a customer"
          inputMode="numeric"
          hint="Left empty, there is no limit."
          {...form.field("per_customer_limit")}
        />
      </div>
    </Card>
  );
}

const classes: readonly Readonly<{ value: DealClass; name: string }>[] = [
  { value: "order", name: "Deals on whole orders" },
  { value: "product", name: "Deals on products" },
  { value: "delivery", name: "Free delivery" },
];

/** The other deals with which a deal can be combined. */
export function CombinationCard({ form }: DealCardProps) {
  const { value: chosen, onChange, error } = form.field("combines_with");
  return (
    <Card title="Combinations">
      <CheckList
        label="Combines with"
        hint="Both deals have to allow it. Left empty, an order takes one coupon and one automatic deal."
        options={classes}
        value={chosen}
        onChange={(names) =>
          onChange(classes.flatMap(({ value }) => (names.includes(value) ? [value] : [])))
        }
        error={error}
      />
    </Card>
  );
}

/** The groups of customers that may use a deal. Absent in a shop without groups. */
export function GroupsCard({ form }: DealCardProps) {
  const { api, can } = useShop();
  const { data: groups = [] } = useAll({
    key: ["customer-groups"],
    list: () => api.customerGroups.list({ limit: 100 }),
    select: (items) => items.map(({ id, name }) => ({ value: id, name })),
    isEnabled: can("customers:read"),
  });
  if (groups.length === 0) return null;
  return (
    <Card title="Customers">
      <CheckList
        label="Groups"
        hint="Left empty, everybody may use the deal."
        options={groups}
        {...form.field("customer_group_ids")}
      />
    </Card>
  );
}
