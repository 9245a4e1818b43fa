import { type ApiClient, asRecord, asText, createApiClient } from "./seed/api-client.ts";
import { seedCafe } from "./seed/cafe.ts";
import { seedClothes } from "./seed/clothes.ts";
import type { Demo, DemoShop } from "./seed/demo.ts";
import { seedSalon } from "./seed/salon.ts";

type ShopPlan = Readonly<{
  kind: DemoShop["kind"];
  business: Readonly<Record<string, unknown>>;
  settings: Readonly<Record<string, unknown>>;
  fill(merchant: ApiClient, shop: Readonly<{ locationId: string; origin: string }>): Promise<void>;
}>;

const plans: readonly ShopPlan[] = [
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

/** Creates the demo shops in test mode through the public APIs. */
export async function seedDemoShops(
  service: Readonly<{ origin: string; operatorToken: string }>,
): Promise<Demo> {
  return { shops: await Promise.all(plans.map((plan) => createShop(plan, service))) };
}

async function createShop(
  { kind, business, settings, fill }: ShopPlan,
  { origin, operatorToken }: Readonly<{ origin: string; operatorToken: string }>,
): Promise<DemoShop> {
  const operator = createApiClient(`${origin}/v1/businesses`, {
    Authorization: `Bearer ${operatorToken}`,
  });
  const created = await operator.post("", { ...business, mode: "test" });
  const id = asText(asRecord(created.business).id);
  const name = asText(asRecord(created.business).name);
  const keys = asRecord(created.keys);
  const secret = asText(keys.secret);

  const merchant = createApiClient(`${origin}/v1/businesses/${id}`, { "X-API-Key": secret });
  await merchant.patch("", settings);
  await fill(merchant, { locationId: asText(asRecord(created.location).id), origin });
  return {
    kind,
    id,
    name,
    keys: { publishable: asText(keys.publishable), secret, deploy: asText(keys.deploy) },
  };
}
