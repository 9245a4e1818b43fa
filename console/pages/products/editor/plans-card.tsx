import { useShop } from "../../../api/shop.ts";
import { useAll } from "../../../api/use-all.ts";
import { Card } from "../../../ui/card.tsx";
import { Checkbox } from "../../../ui/field.tsx";
import { useFormat } from "../../../ui/use-format.ts";
import type { CardProps } from "./product-cards.tsx";

/** The subscription plans under which a product can be bought. Absent in a shop without plans. */
export function PlansCard({ form }: CardProps) {
  const { api } = useShop();
  const format = useFormat();
  const { data: plans = [] } = useAll({
    key: ["billing-plans"],
    list: () => api.billingPlans.list({ limit: 100 }),
    select: (items) => items,
  });
  const { value: chosen, onChange, error } = form.field("billing_plan_ids");
  if (plans.length === 0) return null;
  return (
    <Card title="Subscription plans">
      <div className="stack">
        {plans.map(({ id, name, price, currency }) => (
          <Checkbox
            key={id}
            label={`${name}, ${format.money(price, currency)}`}
            value={chosen.includes(id)}
            onChange={(isChosen) =>
              onChange(isChosen ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
            error={undefined}
          />
        ))}
        {error && <p className="form-error">{error}</p>}
      </div>
    </Card>
  );
}
