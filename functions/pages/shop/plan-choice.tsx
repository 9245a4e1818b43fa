import type { StorefrontSchemas } from "../../../sdk/src/storefront.ts";
import type { FormState } from "../parts/fields.tsx";
import { OptionGroup } from "../parts/option-group.tsx";
import { planPrice } from "../parts/plan-terms.tsx";
import type { VisitedShop } from "./open-shop.ts";
import type { ShownProduct } from "./product-parts.ts";

type EligiblePlan = StorefrontSchemas["BillingPlan"];

/** The plans that a product can be subscribed to with. */
export const loadPlans = async (
  { api }: Pick<VisitedShop, "api">,
  { id }: Pick<ShownProduct, "id">,
): Promise<readonly EligiblePlan[]> => (await api.billingPlans.listEligible(id)).data;

type ChoiceProps = Readonly<{
  shop: VisitedShop;
  plans: readonly EligiblePlan[];
  form: FormState;
  /** The id of the plan that is chosen at first. */
  usual: string | undefined;
}>;

/** Whether a product is bought once or with a plan; nothing for a product without plans. */
export const PlanChoice = ({ shop, plans, form, usual }: ChoiceProps) =>
  plans.length > 0 && (
    <OptionGroup
      legend="Once or as a subscription"
      hint="You log in to subscribe, and can cancel at any time."
      name="billing_plan"
      type="radio"
      isRequired
      form={form}
      usual={plans.find(({ id }) => id === usual)?.id ?? ""}
      options={[
        { value: "", name: "Once", note: "" },
        ...plans.map((plan) => ({
          value: plan.id,
          name: plan.name,
          note: [planPrice(shop, plan, plan.price), minimumOf(plan)].filter(Boolean).join("; "),
        })),
      ]}
    />
  );

const minimumOf = ({ min_quantity: quantity }: EligiblePlan): string =>
  quantity > 1 ? `from ${quantity} units` : "";
