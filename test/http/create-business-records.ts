import { env } from "cloudflare:workers";
import { runtime } from "../../functions/runtime/runtime.ts";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { day } from "../../shared/kernel/index.ts";
import { plantedMark } from "../support/planted-secrets.ts";
import { merchant, shopper } from "../support/world.ts";
import { createAsset, createBytes, deployCaller } from "../uploads/create-uploads.ts";
import {
  operatorClient,
  requireData,
  secretKeyClient,
  withChangingAddress,
} from "./api-clients.ts";
import { createOrganization } from "./foreign-organization.ts";

/** A key that the stand-in for Paystack accepts; its account takes no currency of the tests' shops. */
export const sampleSecretKey = `sk_test${plantedMark}0123456789abcdef`;

/** Creates a record of every kind that a merchant has, through the business API. */
export async function createBusinessRecords(shop: CreatedBusiness) {
  const ask = withChangingAddress(merchant(shop));
  const create = (path: string, body: object) => requireData(ask("POST", path, { body }));
  const location_id = String(shop.business.locations[0]?.id);
  const spare = await create("/locations", { name: "Spare" });
  const category_slug = `drinks-${shop.business.id.slice(-8)}`;
  const category = await create("/categories", { name: "Drinks", slug: category_slug });
  const child = await create("/categories", { name: "Hot drinks", parent_id: category.id });
  const plan = await create("/billing-plans", { name: "Monthly", interval: "month", price: "9" });
  const tax_class_code = `reduced-${shop.business.id.slice(-8)}`;
  await create("/tax/classes", { code: tax_class_code, name: "Reduced" });
  const spare_tax_class_code = `spare-${shop.business.id.slice(-8)}`;
  await create("/tax/classes", { code: spare_tax_class_code, name: "Spare" });
  const rate = { name: "VAT", country: "GH", rate_percent: "5", tax_class: tax_class_code };
  const taxRate = await create("/tax/rates", rate);
  const tea = await create("/products", {
    name: "Tea",
    default_price: "10",
    inventory_type: "variant_level",
    category_id: category.id,
    tags: ["hot"],
    variant_axes: [{ name: "size", label: "Size", values: ["S", "L"] }],
    variants: [
      { name: "Small", axis_values: { size: "S" }, is_default: true },
      { name: "Large", axis_values: { size: "L" } },
    ],
    add_ons: [{ name: "Milk", options: [{ name: "Oat", price: "1" }, { name: "Soy" }] }],
    images: [{ url: "/cdn/tea.png" }],
    schedules: [{ days: ["mon"], start_time: "00:00", end_time: "24:00", location_id }],
    price_overrides: [{ location_id, price: "9" }],
    billing_plan_ids: [plan.id],
  });
  const cup = await create("/products", {
    name: "Cup",
    default_price: "5",
    inventory_type: "tracked",
    category_id: category.id,
    billing_plan_ids: [plan.id],
  });
  const stocked = (itemId: string) =>
    ask("PUT", `/inventory/${itemId}/locations/${location_id}`, { body: { quantity_on_hand: 50 } });
  const [small, large] = tea.variants;
  await Promise.all([requireData(stocked(small.id)), requireData(stocked(cup.id))]);
  const bundle = await create("/bundles", {
    name: "Tea set",
    pricing: { type: "fixed", value: "12" },
    components: [
      { name: "The cup", product_id: cup.id },
      { name: "The tea", product_id: tea.id, default_variant_id: small.id, is_swappable: true },
    ],
  });
  const composite = await create("/composites", {
    name: "Bowl",
    base_price: "5",
    groups: [
      { name: "Base", min_selections: 1, max_selections: 2, components: [{ name: "Rice" }] },
      { name: "Drink", components: [{ name: "Tea", product_id: tea.id }] },
    ],
  });
  const collection = await create("/collections", { name: "Summer", product_ids: [tea.id] });
  const group = await create("/customer-groups", { name: "Regulars" });
  const deal_code = `TEN${runtime.newId("deal").slice(-8)}`.toUpperCase();
  const deal = await create("/deals", {
    code: deal_code,
    name: "Ten percent",
    discount_type: "percentage",
    value: "10",
    applies_to: { scope: "category", ids: [category.id] },
  });
  const attribute = await create("/attributes", {
    category_id: category.id,
    key: "colour",
    label: "Colour",
    type: "text",
  });
  const zone = await create("/delivery/zones", {
    name: "Ghana",
    areas: [{ country: "GH", postal_code_prefixes: ["GA1"] }],
    location_ids: [location_id, spare.id],
  });
  const price = { type: "flat", amount: "5" };
  const method = await create("/delivery/methods", { zone_id: zone.id, name: "Courier", price });
  const invited = `kofi-${shop.business.id.slice(-8)}@example.com`;
  const consoleMember = await create("/members", { email: invited, role: "viewer" });
  const operator = await requireData(
    operatorClient("POST", "/v1/operator/operators", { body: { email: `operator-${invited}` } }),
  );
  const member = await create("/staff", { name: "Ann" });
  const room = await create("/resources", { name: "Room", capacity: 9 });
  const service = await create("/services", {
    name: "Tasting",
    default_price: "80",
    duration_minutes: 60,
    variants: [{ name: "Long", duration_minutes: 90 }],
    add_ons: [{ name: "Cheese", options: [{ name: "Goat", price: "9" }] }],
    capacity: 4,
    staff_ids: [member.id],
    resource_ids: [room.id],
  });
  const key = await create("/keys", { kind: "secret", scopes: ["*"], label: "Till" });
  const { organization_id, organization_key_id } = await createOrganization(shop);
  const ofShop = withChangingAddress(shopper(shop));
  const webhook = await requireData(
    secretKeyClient(shop)("POST", "/api/v1/webhooks", {
      body: { url: "https://receiver.example.com/hook", events: ["order.created"] },
    }),
  );
  const delivery = await requireData(
    secretKeyClient(shop)("POST", `/api/v1/webhooks/${webhook.id}/test`),
  );
  const asset = await createAsset(withChangingAddress(deployCaller(shop)), createBytes(3));
  const quote = await requireData(
    ofShop("POST", "/catalogue/quotes", {
      body: { product_id: tea.id, variant_id: small.id, location_id },
    }),
  );
  const fx = await requireData(
    ofShop("POST", "/fx/quotes", { body: { from: "GHS", to: "USD", amount: "500" } }),
  );
  const { provider } = await requireData(
    ask("PUT", "/payment-providers/paystack", { body: { secret_key: sampleSecretKey } }),
  );
  // The resolver of the tests has the record of this hostname (test/support/refuse-network.ts).
  const hostname = `${shop.business.id.replace("_", "-")}.example.com`;
  const domain = await create("/domains", { hostname });
  return {
    export_id: await insertEndedJob(shop, "export"),
    import_id: await insertEndedJob(shop, "import"),
    message_id: await insertFailedMessage(shop),
    dead_letter_id: await insertDeadLetter(shop),
    template_name: "order.confirmation",
    business_id: shop.business.id,
    shop: shop.business.slug,
    member_id: String(consoleMember.id),
    user_id: String(operator.id),
    provider: String(provider),
    domain_id: String(domain.id),
    location_id,
    spare_location_id: String(spare.id),
    category_id: String(category.id),
    category_slug,
    child_category_id: String(child.id),
    billing_plan_id: String(plan.id),
    tax_class_code,
    spare_tax_class_code,
    tax_rate_id: String(taxRate.id),
    product_id: String(tea.id),
    variant_id: String(small.id),
    spare_variant_id: String(large.id),
    add_on_group_id: String(tea.add_ons[0].id),
    add_on_option_id: String(tea.add_ons[0].options[0].id),
    image_id: String(tea.images[0].id),
    schedule_id: String(tea.schedules[0].id),
    cup_id: String(cup.id),
    bundle_id: String(bundle.id),
    bundle_product_id: String(bundle.product_id),
    bundle_component_id: String(bundle.components[1].component_id),
    composite_id: String(composite.id),
    composite_product_id: String(composite.product_id),
    composite_component_id: String(composite.groups[0].components[0].component_id),
    group_id: String(composite.groups[0].id),
    composite_tea_id: String(composite.groups[1].components[0].component_id),
    collection_id: String(collection.id),
    customer_group_id: String(group.id),
    deal_id: String(deal.id),
    deal_code,
    attribute_id: String(attribute.id),
    zone_id: String(zone.id),
    method_id: String(method.id),
    service_id: String(service.id),
    service_product_id: String(service.product_id),
    service_variant_id: String(service.variants[0].id),
    service_option_id: String(service.add_ons[0].options[0].id),
    staff_id: String(member.id),
    resource_id: String(room.id),
    key_id: String(key.id),
    organization_id,
    organization_key_id,
    webhook_id: String(webhook.id),
    delivery_id: String(delivery.id),
    quote_id: String(quote.quote_id),
    fx_quote_id: String(fx.quote_id),
    asset_id: asset.id,
  };
}

/** Inserts an export or an import of a business that has ended, with a file of one line. */
async function insertEndedJob(
  { business }: CreatedBusiness,
  kind: "export" | "import",
): Promise<string> {
  const id = runtime.newId(kind === "export" ? "exp" : "imp");
  const at = runtime.now();
  const position = { phase: "kept", table: 0, after: 0, parts: [0], counts: {} };
  await Promise.all([
    env.CORE.prepare(
      `insert into portability_jobs (id, business_id, kind, status, position, rows, bytes, due_at, created_at, ended_at)
        values (?, ?, ?, 'completed', ?, 1, 20, ?, ?, ?)`,
    )
      .bind(id, business.id, kind, JSON.stringify(position), at + 7 * day, at, at)
      .run(),
    env.FILES.put(`${business.id}/${kind}s/${id}/0-0`, '{"duka_export":1}\n'),
  ]);
  return id;
}

/** Inserts a message that can be sent again; a failure of its provider would take a day. */
async function insertFailedMessage({ business }: CreatedBusiness): Promise<string> {
  const id = runtime.newId("msg");
  const [shard] = [env.SHOP_1, env.SHOP_2].filter(
    (_, index) => env.SHOP_SHARDS.split(",")[index] === business.shard,
  );
  await shard
    ?.prepare(`insert into messages (id, business_id, name, channel, recipient, source_id, subject_id,
        status, attempts, error, created_at)
      values (?, ?, 'order.receipt', 'email', 'ama@example.com', ?, ?, 'failed', 10, 'status 503', ?)`)
    .bind(id, business.id, id, business.id, runtime.now())
    .run();
  return id;
}

/** A message that the queue gave up on. */
async function insertDeadLetter({ business }: CreatedBusiness): Promise<string> {
  const id = runtime.newId("dlt");
  await env.CORE.prepare(
    `insert into dead_letters (id, queue, message_id, business_id, shard, received_at)
      values (?, 'duka-events', ?, ?, ?, ?)`,
  )
    .bind(id, id, business.id, business.shard, runtime.now())
    .run();
  return id;
}

/** The fields of a checkout that is delivered by the business's method. */
export const deliveredBy = (methodId: string) => ({
  delivery_option_id: methodId,
  address_info: deliveryAddress,
});

/** An address that the business's zone covers. */
export const deliveryAddress = {
  street_address: "1 High Street",
  country: "GH",
  postal_code: "GA1 2345",
};

export type BusinessRecords = Awaited<ReturnType<typeof createBusinessRecords>>;
