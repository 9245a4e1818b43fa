import { useShop } from "../../../api/shop.ts";
import { useAll } from "../../../api/use-all.ts";
import { Card } from "../../../ui/card.tsx";
import { CheckList } from "../../../ui/check-list.tsx";
import { useFormat } from "../../../ui/use-format.ts";
import type { CardProps } from "./product-cards.tsx";

/** The subscription plans under which a product can be bought. Absent in a shop without plans. */
export function PlansCard({ form }: CardProps) {
  const { api } = useShop();
  const format = useFormat();
  const { data: plans = [] } = useAll({
    key: ["plans"],
    list: () => api.billingPlans.list({ limit: 100 }),
    select: (items) => items,
  });
  if (plans.length === 0) return null;
  return (
    <Card title="Subscriptions">
      <CheckList
        label="Plans"
        options={plans.map(({ id, name, price, currency }) => ({
          value: id,
          name: `${name}, ${format.money(price, currency)}`,
        }))}
        {...form.field("billing_plan_ids")}
      />
    </Card>
  );
}
