import { useShop } from "../../../api/shop.ts";
import { Card } from "../../../ui/card.tsx";
import { EditorForm } from "../../../ui/editor-form.tsx";
import { Checkbox, TextField } from "../../../ui/field.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { type BusinessAccount, useBusiness, useBusinessForm } from "../use-business.ts";
import { ClassesCard } from "./classes-card.tsx";
import { RatesCard } from "./rates-card.tsx";

/** Taxes: the usual rate, the rates of places, and the classes of products. */
export function TaxPage() {
  const query = useBusiness();
  return (
    <>
      <Loaded query={query}>{(business) => <UsualTaxForm business={business} />}</Loaded>
      <RatesCard />
      <ClassesCard />
    </>
  );
}

const toValues = ({ tax }: BusinessAccount) => ({
  rate_percent: tax.rate_percent,
  inclusive: tax.inclusive,
});

function UsualTaxForm({ business }: Readonly<{ business: BusinessAccount }>) {
  const { can } = useShop();
  const form = useBusinessForm(business, toValues, (tax) => ({ tax }));
  return (
    <EditorForm
      form={form}
      action="Save"
      isReadOnly={!can("settings:write")}
      onDiscard={() => form.reset(toValues(business))}
    >
      <Card title="Usual tax">
        <div className="fields">
          <TextField
            label="Rate (%)"
            inputMode="decimal"
            required
            hint="For everything, unless there are rates below."
            {...form.field("rate_percent")}
            error={form.errorAt("tax.rate_percent")}
          />
          <Checkbox label="Prices include tax" {...form.field("inclusive")} />
        </div>
      </Card>
    </EditorForm>
  );
}
