import { useShop } from "../../api/shop.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { MoneyField, Select, TextField } from "../../ui/field.tsx";
import { optionsOf } from "../../ui/filters.tsx";
import { keyIn } from "../../ui/list-search.ts";
import type { FormPart } from "../../ui/use-form.ts";
import { dealTypes } from "./deal-state.tsx";
import { type DealValues, newTier } from "./deal-values.ts";
import { ScopeField } from "./scope-field.tsx";

export type DealForm = FormPart<DealValues>;
type DealCardProps = Readonly<{ form: DealForm }>;

/** What a deal deducts, and of what. */
export function DiscountCard({ form }: DealCardProps) {
  const { membership } = useShop();
  const type = form.field("discount_type");
  const isGift = type.value === "buy_x_get_y";
  return (
    <Card title="Discount">
      <div className="fields">
        <Select
          label="Type"
          options={optionsOf(dealTypes)}
          {...type}
          onChange={(value) => {
            const chosen = keyIn(dealTypes, value);
            if (chosen === undefined) return;
            const hasNoTiers = chosen === "tiered" && form.values.tiers.length === 0;
            form.change({ discount_type: chosen, ...(hasNoTiers && { tiers: [newTier()] }) });
          }}
        />
        {type.value === "percentage" && (
          <TextField label="Percent off" inputMode="decimal" required {...form.field("value")} />
        )}
        {type.value === "fixed_amount" && (
          <MoneyField
            label="Amount off"
            currency={membership.currency}
            required
            {...form.field("value")}
          />
        )}
        {type.value === "tiered" && <Tiers form={form} />}
        {isGift ? (
          <GiftFields form={form} />
        ) : (
          <ScopeField
            label="Applies to"
            {...form.field("applies_to")}
            errorAt={(path) => form.errorAt(`applies_to.${path}`)}
          />
        )}
      </div>
    </Card>
  );
}

/** The fields of a deal such as "buy two, get one free". */
const GiftFields = ({ form }: DealCardProps) => (
  <>
    <TextField
      label="At most, times an order"
      inputMode="numeric"
      required
      {...form.field("max_uses_per_order")}
    />
    <TextField label="Units to buy" inputMode="numeric" required {...form.field("buy_quantity")} />
    <ScopeField
      label="Buy from"
      {...form.field("buy_scope")}
      errorAt={(path) => form.errorAt(`buy_scope.${path}`)}
    />
    <TextField
      label="Units at the discount"
      inputMode="numeric"
      required
      {...form.field("get_quantity")}
    />
    <TextField
      label="Percent off these units"
      inputMode="decimal"
      required
      hint="100 makes them free."
      {...form.field("percent")}
    />
    <ScopeField
      label="Get from"
      {...form.field("get_scope")}
      errorAt={(path) => form.errorAt(`get_scope.${path}`)}
    />
  </>
);

/** The percentages by the quantity of a product. */
function Tiers({ form }: DealCardProps) {
  const { value: tiers, onChange, error } = form.field("tiers");
  return (
    <fieldset className="stack whole" aria-label="Discounts by quantity">
      {tiers.map((tier, position) => {
        const set = (changes: Partial<typeof tier>) =>
          onChange(tiers.toSpliced(position, 1, { ...tier, ...changes }));
        return (
          <div key={tier.key} className="field-row">
            <TextField
              label="From this quantity"
              inputMode="numeric"
              required
              value={tier.min_quantity}
              onChange={(quantity) => set({ min_quantity: quantity })}
              error={form.errorAt(`tiers.${position}.min_quantity`)}
            />
            <TextField
              label="Percent off"
              inputMode="decimal"
              required
              value={tier.percent}
              onChange={(percent) => set({ percent })}
              error={form.errorAt(`tiers.${position}.percent`)}
            />
            <IconButton
              icon="trash"
              label={`Remove step ${position + 1}`}
              disabled={tiers.length === 1}
              onClick={() => onChange(tiers.toSpliced(position, 1))}
            />
          </div>
        );
      })}
      {error && <p className="form-error">{error}</p>}
      <div>
        <Button icon="plus" onClick={() => onChange([...tiers, newTier()])}>
          Add a step
        </Button>
      </div>
    </fieldset>
  );
}
