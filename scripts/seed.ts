import {
  type Business,
  type BusinessSchemas,
  createBusiness,
  createOperator,
} from "../sdk/src/index.ts";
import { seedCafe } from "./seed/cafe.ts";
import { seedClothes } from "./seed/clothes.ts";
import type { Demo, DemoShop } from "./seed/demo.ts";
import { seedSalon } from "./seed/salon.ts";

/** Who logs in to the console of the demo shops. */
const demoOwner = "owner@example.com";

type ShopPlan = Readonly<{
  kind: DemoShop["kind"];
  business: Omit<BusinessSchemas["CreateBusinessRequest"], "mode" | "owner_email">;
  settings: BusinessSchemas["BusinessFields"];
  fill(merchant: Business, shop: Readonly<{ locationId: string; origin: string }>): Promise<void>;
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
  { origin: baseUrl, operatorToken }: Readonly<{ origin: string; operatorToken: string }>,
): Promise<DemoShop> {
  // All shops are filled at once, from one address, so its rate limit is met often.
  const client = { baseUrl, retries: 30 };
  const operator = createOperator({ ...client, operatorToken });
  const { data: created } = await operator.businesses.create({
    ...business,
    mode: "test",
    owner_email: demoOwner,
  });
  const { id, name } = created.business;
  const { publishable, secret, deploy } = created.keys;

  const merchant = createBusiness({ ...client, businessId: id, secretKey: secret });
  await merchant.business.update(settings);
  await fill(merchant, { locationId: created.location.id, origin: baseUrl });
  return { kind, id, name, keys: { publishable, secret, deploy } };
}
