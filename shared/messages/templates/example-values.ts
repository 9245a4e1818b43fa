import type { Business } from "../../businesses/index.ts";
import { parseMoney } from "../../kernel/index.ts";
import { formatsFor } from "../rendering/format.ts";
import type { BlockRow, VariableValues } from "../rendering/values.ts";
import type { MessageSettings } from "../settings.ts";

type ExampleSource = Readonly<{
  business: Pick<Business, "name" | "currency" | "timezone" | "locations">;
  settings: Pick<MessageSettings, "locale">;
}>;

/** 15 January 2026, 10:00 UTC: a time that is the same in every preview. */
const exampleAt = Date.UTC(2026, 0, 15, 10);
const hourMs = 3_600_000;

/** Values of every variable, for previews and test messages. */
export function exampleValues({ business, settings }: ExampleSource): VariableValues {
  const formats = formatsFor(settings.locale);
  const { currency, timezone } = business;
  const money = (amount: string) => formats.money(parseMoney(amount, currency), currency);
  const location = business.locations[0];
  const zone = location?.timezone ?? timezone;
  const items: readonly BlockRow[] = [
    { label: "2 × Tea", amount: money("25") },
    { label: "1 × Cup, blue", amount: money("15") },
  ];
  const link = (label: string, path: string) =>
    ({ type: "link", label, url: `https://shop.example.com/${path}` }) as const;
  return {
    business_name: business.name,
    customer_name: "Ama Mensah",
    order_number: "ORD-1001",
    order_date: formats.date(exampleAt, timezone),
    order_total: money("43"),
    order_items: { type: "block", rows: items },
    order_totals: {
      type: "block",
      rows: [
        { label: "Subtotal", amount: money("40") },
        { label: "Delivery", amount: money("3") },
        { label: "VAT 15 % (included)", amount: money("5") },
        { label: "Total", amount: money("43"), isTotal: true },
      ],
    },
    delivery: "Delivery to: 12 Ring Road, Accra, GH",
    order_url: link("View your order", "orders/ord_1"),
    payment_url: link("Pay now", "pay/1"),
    payment_method: "Mobile money",
    paid_amount: money("43"),
    paid_at: formats.date(exampleAt, timezone),
    amount_due: money("43"),
    refund_amount: money("15"),
    reason: "Sold out",
    carrier: "DHL",
    tracking_number: "JD014600003SE",
    tracking_url: link("Track it", "track/1"),
    shipment_items: { type: "block", rows: items.map(({ label }) => ({ label, amount: null })) },
    service_name: "Pédicure",
    booking_date: formats.date(exampleAt, zone),
    booking_time: formats.time(exampleAt, zone),
    booking_end_time: formats.time(exampleAt + hourMs, zone),
    previous_date: formats.date(exampleAt - 24 * hourMs, zone),
    previous_time: formats.time(exampleAt - 24 * hourMs, zone),
    participants: "1",
    location_name: location?.name ?? business.name,
    location_address: "12 Ring Road, Accra",
    plan_name: "Tea every month",
    subscription_items: { type: "block", rows: items },
    subscription_amount: money("40"),
    retry_date: formats.date(exampleAt + 24 * hourMs, timezone),
    end_date: formats.date(exampleAt + 72 * hourMs, timezone),
    message: { type: "quote", text: "Your parcel arrives tomorrow." },
    chat_url: link("Open the chat", "shop/your-shop/support"),
    code: { type: "code", code: "482913" },
    minutes: "5",
    role: "manager",
    provider: "Stripe",
    console_url: link("Open the console", "console"),
  };
}
