import { useShop } from "../../../api/shop.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { type Option, Select } from "../../../ui/field.tsx";
import { useToasts } from "../../../ui/toast.tsx";
import { useUnsavedGuard } from "../../../ui/use-unsaved-guard.ts";
import { type BusinessAccount, useBusinessForm } from "../use-business.ts";
import { type Provider, providers } from "./provider.ts";

type Route = readonly Provider[];

/** The orders of preference that make sense for each method. */
const cardRoutes: readonly Route[] = [
  ["stripe", "paystack"],
  ["paystack", "stripe"],
  ["stripe"],
  ["paystack"],
];
const mobileMoneyRoutes: readonly Route[] = [["paystack"]];

const textOf = (route: Route): string => route.join(",");

const nameOf = ([first, ...others]: Route): string => {
  const name = first ? providers[first].name : "";
  if (others.length === 0) return `${name} only`;
  return [name, ...others.map((provider) => providers[provider].name)].join(", otherwise ");
};

/** The known routes, and the present one when it is another. */
function optionsWith(routes: readonly Route[], present: Route): readonly Option[] {
  const isKnown = routes.some((route) => textOf(route) === textOf(present));
  const all = isKnown ? routes : [...routes, present];
  return all.map((route) => ({ value: textOf(route), name: nameOf(route) }));
}

const toRoute = (text: string): Provider[] =>
  text.split(",").flatMap((part) => (part === "stripe" || part === "paystack" ? [part] : []));

const toValues = ({ payment_routing: { card, mobile_money } }: BusinessAccount) => ({
  card: textOf(card),
  mobile_money: textOf(mobile_money),
});

/** Which provider takes a payment when several of them could. */
export function RoutingCard({ business }: Readonly<{ business: BusinessAccount }>) {
  const { can } = useShop();
  const toasts = useToasts();
  const form = useBusinessForm(business, toValues, ({ card, mobile_money }) => ({
    payment_routing: { card: toRoute(card), mobile_money: toRoute(mobile_money) },
  }));
  useUnsavedGuard(form.isDirty && !form.isSaving);
  const mayWrite = can("providers:write") && can("settings:write");
  const { card, mobile_money: mobileMoney } = business.payment_routing;
  return (
    <Card title="Preference">
      <form
        className="stack"
        onSubmit={async (event) => {
          event.preventDefault();
          if (await form.submit()) toasts.show("Saved.");
        }}
      >
        <p className="muted">
          A new payment goes to the first provider that is connected and takes the method in the
          currency. Payments that were started stay with their provider.
        </p>
        <fieldset className="fields" disabled={!mayWrite}>
          <Select label="Cards" options={optionsWith(cardRoutes, card)} {...form.field("card")} />
          <Select
            label="Mobile money"
            hint="Stripe takes no mobile money."
            options={optionsWith(mobileMoneyRoutes, mobileMoney)}
            {...form.field("mobile_money")}
          />
        </fieldset>
        {form.formError && (
          <p className="form-error" role="alert">
            {form.formError}
          </p>
        )}
        {mayWrite && (
          <div className="row end">
            <Button type="submit" isBusy={form.isSaving} disabled={!form.isDirty}>
              Save
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}
