import { useShop } from "../../api/shop.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { useToasts } from "../../ui/toast.tsx";
import { useUnsavedGuard } from "../../ui/use-unsaved-guard.ts";
import { type BusinessAccount, useBusinessForm } from "./use-business.ts";

const unpaidLimits = [
  ["holds_per_session", "Slots that a shopper may hold", "5"],
  ["bookings_per_contact", "Unpaid bookings of a customer", "3"],
  ["per_address", "Unpaid orders and holds of a network address", "20"],
] as const;

const rateLimits = [
  ["public_per_second_per_address", "Storefront calls a second from an address", "100"],
  ["public_per_minute", "Storefront calls a minute", "1000"],
  [
    "public_per_minute_per_address",
    "Storefront calls a minute from an address",
    "a quarter of all",
  ],
  ["secret_per_second", "Calls a second with a secret key", "50"],
] as const;

const textOf = (limit: number | null): string => (limit === null ? "" : String(limit));
const numberOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

const toValues = ({ unpaid_limits: unpaid, rate_limits: rate }: BusinessAccount) => ({
  unpaid_limits: {
    holds_per_session: textOf(unpaid.holds_per_session),
    bookings_per_contact: textOf(unpaid.bookings_per_contact),
    per_address: textOf(unpaid.per_address),
  },
  rate_limits: {
    public_per_second_per_address: textOf(rate.public_per_second_per_address),
    public_per_minute: textOf(rate.public_per_minute),
    public_per_minute_per_address: textOf(rate.public_per_minute_per_address),
    secret_per_second: textOf(rate.secret_per_second),
  },
});

/** Limits against abuse. An empty field means the usual limit, which it shows. */
export function LimitsCard({ business }: Readonly<{ business: BusinessAccount }>) {
  const { can } = useShop();
  const toasts = useToasts();
  const form = useBusinessForm(
    business,
    toValues,
    ({ unpaid_limits: unpaid, rate_limits: rate }) => ({
      unpaid_limits: {
        holds_per_session: numberOf(unpaid.holds_per_session),
        bookings_per_contact: numberOf(unpaid.bookings_per_contact),
        per_address: numberOf(unpaid.per_address),
      },
      rate_limits: {
        public_per_second_per_address: numberOf(rate.public_per_second_per_address),
        public_per_minute: numberOf(rate.public_per_minute),
        public_per_minute_per_address: numberOf(rate.public_per_minute_per_address),
        secret_per_second: numberOf(rate.secret_per_second),
      },
    }),
  );
  useUnsavedGuard(form.isDirty && !form.isSaving);
  const { unpaid_limits: unpaid, rate_limits: rate } = form.values;
  const mayWrite = can("settings:write");
  return (
    <Card title="Limits">
      <form
        className="stack"
        onSubmit={async (event) => {
          event.preventDefault();
          if (await form.submit()) toasts.show("Saved.");
        }}
      >
        <p className="muted">They keep out abuse. An empty field means the usual limit.</p>
        <fieldset className="fields" disabled={!mayWrite}>
          {unpaidLimits.map(([name, label, usual]) => (
            <TextField
              key={name}
              label={label}
              inputMode="numeric"
              placeholder={usual}
              value={unpaid[name]}
              error={form.errorAt(`unpaid_limits.${name}`)}
              onChange={(text) => form.change({ unpaid_limits: { ...unpaid, [name]: text } })}
            />
          ))}
          {rateLimits.map(([name, label, usual]) => (
            <TextField
              key={name}
              label={label}
              inputMode="numeric"
              placeholder={usual}
              value={rate[name]}
              error={form.errorAt(`rate_limits.${name}`)}
              onChange={(text) => form.change({ rate_limits: { ...rate, [name]: text } })}
            />
          ))}
        </fieldset>
        {form.formError && <p className="form-error">{form.formError}</p>}
        {mayWrite && (
          <div className="row end">
            <Button type="submit" isBusy={form.isSaving} disabled={!form.isDirty}>
              Save limits
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}
