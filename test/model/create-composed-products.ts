/** Creates bundles, composites and services. */
import { expect } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { type ApiResponse, merchant } from "../support/world.ts";
import { formatted } from "./arithmetic.ts";
import { type Product, ungrouped } from "./shop-model.ts";
import type { Service } from "./slot-model.ts";

const productDefaults = {
  isActive: true,
  ...ungrouped,
  localPrices: [],
  plans: [],
  stockTracking: "nowhere" as const,
  variants: [],
  groups: [],
  bundle: [],
  composite: null,
  service: null,
};

/**
 * Creates a bundle of two sized products, a tracked product and a shirt; the sized product and the
 * shirt may be swapped.
 */
export async function createBundle(
  business: CreatedBusiness,
  decimals: number,
  [sized, tracked, shirts]: readonly [Product, Product, Product],
): Promise<Product> {
  const components = [
    { name: "Sized", product_id: sized.id, quantity: 2, is_swappable: true },
    { name: "Tracked", product_id: tracked.id, quantity: 1 },
    { name: "Shirt", product_id: shirts.id, quantity: 1, is_swappable: true },
  ];
  const value = formatted(4_010n, decimals);
  const body = { name: "Bundle", components, pricing: { type: "fixed", value } };
  const record = createdData(await merchant(business)("POST", "/bundles", { body }));
  const bundle = components.map(({ product_id, quantity, is_swappable = false }, position) => ({
    id: String(record.components[position].component_id),
    productId: product_id,
    quantity,
    isSwappable: is_swappable,
  }));
  return {
    ...productDefaults,
    name: "Bundle",
    id: String(record.product_id),
    price: 4_010n,
    bundle,
  };
}

/** Creates a composite of one to four components, one of them tracked. */
export async function createComposite(
  business: CreatedBusiness,
  decimals: number,
  tracked: Product,
): Promise<Product> {
  const prices = [150n, 233n, 97n];
  const components = prices.map((price, position) => ({
    name: `Component ${position}`,
    price: formatted(price, decimals),
    ...(position === 2 && { product_id: tracked.id }),
  }));
  const groups = [{ name: "Bowl", min_selections: 1, max_selections: 4, components }];
  const body = { name: "Composite", base_price: formatted(505n, decimals), groups };
  const record = createdData(await merchant(business)("POST", "/composites", { body }));
  const composite = {
    minimum: 1,
    maximum: 4,
    components: prices.map((price, position) => ({
      id: String(record.groups[0].components[position].component_id),
      price,
      productId: position === 2 ? tracked.id : null,
    })),
  };
  return {
    ...productDefaults,
    name: "Composite",
    id: String(record.product_id),
    price: 505n,
    composite,
  };
}

const hours = { opens: 8, closes: 11 };

/**
 * A service of one hour for three, and one of an hour and a half with overlapping slots for two.
 */
const services = [
  { name: "Service", price: 1_615n, minutes: 60, every: 60, buffer: 0, capacity: 3 },
  { name: "Course", price: 2_125n, minutes: 90, every: 30, buffer: 15, capacity: 2 },
];

/** Creates both services, open from 8 to 11 UTC. */
export async function createServices(
  business: CreatedBusiness,
  decimals: number,
  [home = ""]: readonly string[],
): Promise<Product[]> {
  const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
  const open = days.map((day) => [day, [{ open: "08:00", close: "11:00" }]]);
  const opening = { operating_hours: Object.fromEntries(open), timezone: "UTC" };
  const opened = await merchant(business)("PATCH", `/locations/${home}`, { body: opening });
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
  const given: Product[] = [];
  for (const { name, price, ...terms } of services) {
    const service = { ...terms, ...hours, locationId: home };
    given.push(await createService(business, { name, price, service, decimals }));
  }
  return given;
}

async function createService(
  business: CreatedBusiness,
  {
    name,
    price,
    service,
    decimals,
  }: Readonly<{ name: string; price: bigint; service: Service; decimals: number }>,
): Promise<Product> {
  const body = {
    name,
    default_price: formatted(price, decimals),
    duration_minutes: service.minutes,
    slot_interval_minutes: service.every,
    buffer_minutes: service.buffer,
    capacity: service.capacity,
  };
  const record = createdData(await merchant(business)("POST", "/services", { body }));
  return { ...productDefaults, name, id: String(record.product_id), price, service };
}

export function createdData({ status, body }: ApiResponse) {
  expect(status, JSON.stringify(body)).toBe(201);
  return Object(body).data;
}
