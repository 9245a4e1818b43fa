import { type Api, apiAt, record, text } from "./seed/api.ts";
import { seedCafe } from "./seed/cafe.ts";
import { seedClothes } from "./seed/clothes.ts";
import type { Demo, DemoShop } from "./seed/demo.ts";
import { seedSalon } from "./seed/salon.ts";

type Plan = Readonly<{
  kind: DemoShop["kind"];
  business: Readonly<Record<string, unknown>>;
  settings: Readonly<Record<string, unknown>>;
  fill(merchant: Api, shop: Readonly<{ locationId: string; origin: string }>): Promise<void>;
}>;

const plans: readonly Plan[] = [
  {
    kind: "cafe",
    business: {
      name: "Sankofa Coffee House",
      currency: "GHS",
      default_country: "GH",
      timezone: "Africa/Accra",
    },
    settings: { tax: { rate_percent: "15", inclusive: true }, free_delivery_threshold: "150.00" },
    fill: seedCafe,
  },
  {
    kind: "clothes",
    business: {
      name: "Matembezi",
      currency: "KES",
      default_country: "KE",
      timezone: "Africa/Nairobi",
    },
    settings: { tax: { rate_percent: "16", inclusive: true }, low_stock_threshold: 4 },
    fill: seedClothes,
  },
  {
    kind: "salon",
    business: {
      name: "Salon Lindenhof",
      currency: "EUR",
      default_country: "DE",
      timezone: "Europe/Berlin",
    },
    settings: { tax: { rate_percent: "19", inclusive: true } },
    fill: seedSalon,
  },
];

/** Makes the demo shops through the same calls that every merchant uses; all in test mode. */
export async function seed(at: Readonly<{ origin: string; operatorToken: string }>): Promise<Demo> {
  return { shops: await Promise.all(plans.map((plan) => make(plan, at))) };
}

async function make(
  { kind, business, settings, fill }: Plan,
  { origin, operatorToken }: Readonly<{ origin: string; operatorToken: string }>,
): Promise<DemoShop> {
  const operator = apiAt(`${origin}/v1/businesses`, { Authorization: `Bearer ${operatorToken}` });
  const created = await operator.post("", { ...business, mode: "test" });
  const id = text(record(created.business).id);
  const name = text(record(created.business).name);
  const keys = record(created.keys);
  const secret = text(keys.secret);

  const merchant = apiAt(`${origin}/v1/businesses/${id}`, { "X-API-Key": secret });
  await merchant.patch("", settings);
  await fill(merchant, { locationId: text(record(created.location).id), origin });
  return {
    kind,
    id,
    name,
    keys: { publishable: text(keys.publishable), secret, deploy: text(keys.deploy) },
  };
}
