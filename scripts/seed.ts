import {
  type Business,
  type BusinessSchemas,
  createBusiness,
  createOperator,
} from "../sdk/src/index.ts";
import { seedCafe } from "./seed/cafe.ts";
import { seedClothes } from "./seed/clothes.ts";
import type { Demo, DemoShop } from "./seed/demo.ts";
import { liveShop } from "./seed/life/live.ts";
import type { MovedOrder } from "./seed/life/move-to-past.ts";
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
    settings: {
      tax: { rate_percent: "15", inclusive: true },
      free_delivery_threshold: "150.00",
      appearance: { accent_color: "#7a4a24" },
    },
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
    settings: {
      tax: { rate_percent: "16", inclusive: true },
      low_stock_threshold: 4,
      appearance: { accent_color: "#b8452f" },
    },
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
    settings: {
      tax: { rate_percent: "19", inclusive: true },
      appearance: { accent_color: "#2f5d73" },
    },
    fill: seedSalon,
  },
];

type SeedService = Readonly<{
  origin: string;
  operatorToken: string;
  /** Where the shops' webhooks are sent to. */
  receiverUrl: string;
}>;

/**
 * Creates the demo shops in test mode, and what happened in them, through the public APIs. An API
 * dates nothing back, so `moveToPast` has to make orders older in the databases.
 */
export async function seedDemoShops(
  service: SeedService,
  moveToPast: (orders: readonly MovedOrder[]) => Promise<void>,
): Promise<Demo> {
  const { origin: baseUrl, operatorToken } = service;
  const operator = createOperator({ baseUrl, operatorToken, retries: 30 });
  const [created] = await Promise.all([
    Promise.all(plans.map((plan) => createShop(plan, service))),
    operator.operators.add({ email: demoOwner }),
  ]);
  await moveToPast(created.flatMap(({ moved }) => moved));
  return { shops: created.map(({ shop }) => shop) };
}

async function createShop(
  { kind, business, settings, fill }: ShopPlan,
  { origin: baseUrl, operatorToken, receiverUrl }: SeedService,
): Promise<Readonly<{ shop: DemoShop; moved: readonly MovedOrder[] }>> {
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
  const { id: locationId } = created.location;
  await fill(merchant, { locationId, origin: baseUrl });
  const storefront = { origin: baseUrl, publicKey: publishable };
  const moved = await liveShop(storefront, merchant, { kind, locationId, receiverUrl });
  return { shop: { kind, id, name, keys: { publishable, secret, deploy } }, moved };
}
