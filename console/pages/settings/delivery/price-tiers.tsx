import { Button, IconButton } from "../../../ui/button.tsx";
import { MoneyField, TextField } from "../../../ui/field.tsx";
import { emptyTier, type PriceType, type Tier } from "./method-values.ts";
import "./delivery.css";

type PriceTiersProps = Readonly<{
  type: Exclude<PriceType, "flat">;
  currency: string;
  tiers: readonly Tier[];
  onChange: (tiers: readonly Tier[]) => void;
  /** What is wrong, by the path below the tiers. */
  errorAt: (path: string) => string | undefined;
}>;

/** The steps of a price by subtotal or by weight. */
export function PriceTiers({ type, currency, tiers, onChange, errorAt }: PriceTiersProps) {
  const isByWeight = type === "by_weight";
  const change = (key: string, changes: Partial<Tier>) =>
    onChange(tiers.map((tier) => (tier.key === key ? { ...tier, ...changes } : tier)));
  return (
    <fieldset className="field whole stack">
      <legend>{isByWeight ? "Prices by weight" : "Prices by subtotal"}</legend>
      {tiers.map((tier, index) => (
        <div key={tier.key} className="tier">
          {isByWeight ? (
            <TextField
              label="Up to (grams)"
              inputMode="numeric"
              required
              value={tier.bound}
              error={errorAt(`${index}.max_grams`)}
              onChange={(bound) => change(tier.key, { bound })}
            />
          ) : (
            <MoneyField
              label="From a subtotal of"
              currency={currency}
              required
              value={tier.bound}
              error={errorAt(`${index}.min_subtotal`)}
              onChange={(bound) => change(tier.key, { bound })}
            />
          )}
          <MoneyField
            label="Amount"
            currency={currency}
            required
            value={tier.amount}
            error={errorAt(`${index}.amount`)}
            onChange={(amount) => change(tier.key, { amount })}
          />
          <IconButton
            icon="trash"
            label={`Remove price ${index + 1}`}
            disabled={tiers.length === 1}
            onClick={() => onChange(tiers.filter(({ key }) => key !== tier.key))}
          />
        </div>
      ))}
      {errorAt("") && <p className="form-error">{errorAt("")}</p>}
      <p className="hint">
        {isByWeight
          ? "Above the highest weight the method is not offered."
          : "Below the lowest subtotal the method is not offered."}
      </p>
      <div className="row">
        <Button icon="plus" onClick={() => onChange([...tiers, emptyTier()])}>
          Add a price
        </Button>
      </div>
    </fieldset>
  );
}
