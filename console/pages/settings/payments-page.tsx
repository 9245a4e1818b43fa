import { useShop } from "../../api/shop.ts";
import { Card } from "../../ui/card.tsx";
import { CheckList } from "../../ui/check-list.tsx";
import { EditorForm } from "../../ui/editor-form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { methodOptions, toMethods } from "./payment-methods.ts";
import { type BusinessAccount, useBusiness, useBusinessForm } from "./use-business.ts";

/** How shoppers may pay. */
export function PaymentsPage() {
  const query = useBusiness();
  return <Loaded query={query}>{(business) => <MethodsForm business={business} />}</Loaded>;
}

type Values = Readonly<{ payment_methods: readonly string[] }>;

const toValues = ({ payment_methods: methods }: BusinessAccount): Values => ({
  payment_methods: methods,
});

function MethodsForm({ business }: Readonly<{ business: BusinessAccount }>) {
  const { can } = useShop();
  const form = useBusinessForm(business, toValues, ({ payment_methods: methods }) => ({
    payment_methods: toMethods(methods),
  }));
  return (
    <EditorForm
      form={form}
      action="Save"
      isReadOnly={!can("settings:write")}
      onDiscard={() => form.reset(toValues(business))}
    >
      <Card title="Payment methods">
        <CheckList
          label="Shoppers may pay by"
          hint="A method without a payment provider is not offered, even when it is chosen here."
          options={methodOptions}
          {...form.field("payment_methods")}
        />
      </Card>
    </EditorForm>
  );
}
