import { useShop } from "../../api/shop.ts";
import { Card, Fact } from "../../ui/card.tsx";
import { countryName } from "../../ui/countries.ts";
import { EditorForm } from "../../ui/editor-form.tsx";
import { Checkbox, MoneyField, Select, TextArea, TextField } from "../../ui/field.tsx";
import { keyIn } from "../../ui/list-search.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { LimitsCard } from "./limits-card.tsx";
import { type BusinessAccount, useBusiness, useBusinessForm } from "./use-business.ts";

/** What holds for the whole shop: its name, and the rules for orders and the storefront. */
export function BusinessPage() {
  const query = useBusiness();
  return <Loaded query={query}>{(business) => <BusinessForm business={business} />}</Loaded>;
}

const cancellations = {
  any: "Until it is completed",
  preparing: "While it is being prepared",
  confirmed: "Until it is confirmed",
  pending: "While it is pending",
} as const;

const refundRules = { automatic: "Automatically", manual: "By hand" } as const;

const toValues = (business: BusinessAccount) => ({
  name: business.name,
  order_number_prefix: business.order_number_prefix,
  auto_confirm: business.auto_confirm,
  customer_cancellation: business.customer_cancellation ?? "any",
  booking_refunds: business.booking_refunds,
  low_stock_threshold: String(business.low_stock_threshold),
  max_coupons: String(business.max_coupons),
  free_delivery_threshold: business.free_delivery_threshold ?? "",
  allowed_origins: business.allowed_origins.join("\n"),
});

const linesOf = (text: string): readonly string[] =>
  text.split("\n").flatMap((line) => line.trim() || []);

function BusinessForm({ business }: Readonly<{ business: BusinessAccount }>) {
  const { can, membership } = useShop();
  const mayWrite = can("settings:write");
  const form = useBusinessForm(business, toValues, (values) => {
    const cancellation = keyIn(cancellations, values.customer_cancellation) ?? "any";
    return {
      name: values.name,
      order_number_prefix: values.order_number_prefix,
      auto_confirm: values.auto_confirm,
      customer_cancellation: cancellation === "any" ? null : cancellation,
      booking_refunds: values.booking_refunds,
      low_stock_threshold: Number(values.low_stock_threshold),
      max_coupons: Number(values.max_coupons),
      free_delivery_threshold: values.free_delivery_threshold.trim() || null,
      allowed_origins: linesOf(values.allowed_origins),
    };
  });
  return (
    <>
      <EditorForm
        form={form}
        action="Save"
        isReadOnly={!mayWrite}
        onDiscard={() => form.reset(toValues(business))}
      >
        <Card title="Business">
          <div className="stack">
            <TextField label="Name" required maxLength={200} {...form.field("name")} />
            <dl className="facts">
              <Fact name="Currency">{business.currency}</Fact>
              <Fact name="Country">{countryName(business.default_country)}</Fact>
              <Fact name="Time zone">{business.timezone}</Fact>
              <Fact name="Mode">{business.mode === "live" ? "Live" : "Test"}</Fact>
              <Fact name="Id">{business.id}</Fact>
            </dl>
          </div>
        </Card>
        <Card title="Orders">
          <div className="fields">
            <TextField
              label="Order numbers begin with"
              maxLength={20}
              {...form.field("order_number_prefix")}
            />
            <Select
              label="Customers may cancel"
              options={Object.entries(cancellations).map(([value, name]) => ({ value, name }))}
              {...form.field("customer_cancellation")}
            />
            <Select
              label="Refund of cancelled bookings"
              hint="When they were paid and cancelled in time."
              options={[
                { value: "automatic", name: refundRules.automatic },
                { value: "manual", name: refundRules.manual },
              ]}
              {...form.field("booking_refunds")}
            />
            <TextField
              label="Coupons in one cart"
              type="number"
              required
              {...form.field("max_coupons")}
            />
            <TextField
              label="Stock is low below"
              type="number"
              hint="Unless a product has a number of its own."
              required
              {...form.field("low_stock_threshold")}
            />
            <Checkbox label="Confirm orders when they are paid" {...form.field("auto_confirm")} />
          </div>
        </Card>
        <Card title="Storefront">
          <div className="fields">
            <MoneyField
              label="Tell shoppers about free delivery from"
              currency={membership.currency}
              hint="Shown as a message while the cart is below it. Left empty, there is no message."
              {...form.field("free_delivery_threshold")}
            />
            <TextArea
              label="Websites that may use the publishable key"
              hint={
                business.mode === "test"
                  ? "One origin a line, such as https://shop.example. Left empty, all of them."
                  : "One origin a line, such as https://shop.example. Left empty, none."
              }
              rows={3}
              {...form.field("allowed_origins")}
            />
          </div>
        </Card>
      </EditorForm>
      <LimitsCard business={business} />
    </>
  );
}
