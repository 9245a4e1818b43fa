import fc from "fast-check";
import type { RecordKind } from "../create-customer-records.ts";
import type { Operation, Schema } from "../operations.ts";
import { placeholderOf } from "./id-placeholders.ts";

/** The record kinds that a field accepts, by field name. */
const recordKindsByField: Readonly<Record<string, readonly RecordKind[]>> = {
  shop: ["business_id"],
  product_id: ["product_id", "cup_id", "bundle_product_id", "composite_product_id"],
  item_id: ["product_id", "cup_id", "bundle_product_id", "service_product_id"],
  product_ids: ["product_id", "cup_id"],
  variant_id: ["variant_id", "service_variant_id"],
  default_variant_id: ["variant_id"],
  category_id: ["category_id", "child_category_id"],
  parent_id: ["category_id"],
  category_slug: ["category_slug"],
  location_id: ["location_id", "spare_location_id"],
  location_ids: ["location_id"],
  add_on_options: ["add_on_option_id"],
  add_on_option_ids: ["add_on_option_id"],
  add_on_option_id: ["add_on_option_id"],
  component_id: ["bundle_component_id", "composite_component_id", "composite_tea_id"],
  billing_plan_id: ["billing_plan_id"],
  billing_plan_ids: ["billing_plan_id"],
  tax_class: ["tax_class_code"],
  collection_id: ["collection_id"],
  staff_id: ["staff_id"],
  new_staff_id: ["staff_id"],
  staff_ids: ["staff_id"],
  resource_ids: ["resource_id"],
  service_id: ["service_id", "service_product_id"],
  customer_id: ["customer_id"],
  customer: ["customer_id"],
  customer_ids: ["customer_id"],
  customer_group_ids: ["customer_group_id"],
  cart_id: ["cart_id"],
  order_id: ["order_id"],
  line_item_id: ["line_item_id"],
  order_item_id: ["shipped_item_id", "line_item_id"],
  payment_id: ["payment_id"],
  bill_token: ["bill_token"],
  token: ["bill_token"],
  quote_id: ["quote_id"],
  fx_quote_id: ["fx_quote_id"],
  upload_id: ["upload_id", "asset_id"],
  default_address_id: ["address_id"],
  business_id: ["business_id"],
  discount_code: ["deal_code"],
  coupon_code: ["deal_code"],
};

/** Valid values of fields whose rules the schema does not express. */
const examples: Readonly<Record<string, readonly string[]>> = {
  contact: ["+233241000001", "ama@example.com"],
  phone: ["+233241000001", "0241234567"],
  phone_number: ["0241234560", "0241234561", "0241234562"],
  provider: ["mtn", "vodafone"],
  otp_code: ["123456"],
  payment_method: ["cash", "mobile_money", "card"],
  from: ["GHS", "2026-01-01", "2026-01-01T00:00:00Z"],
  to: ["USD", "2026-12-31", "2026-12-31T00:00:00Z"],
  currency: ["GHS", "KWD"],
  pay_currency: ["USD", "GHS"],
  default_country: ["GH"],
  timezone: ["Africa/Accra", "Europe/London"],
  url: ["https://receiver.example.com/hook", "/picture.png"],
  image_url: ["https://pictures.example.com/tea.png"],
  content_type: ["image/png"],
  tracking_url: ["https://carrier.example.com/JD01"],
  place_id: ["demo-accra-oxford-street"],
  properties: ['{"size":["S"]}'],
};

type FieldContext = Readonly<{ name: string; resolve: Operation["resolve"] }>;

/** Values that a schema allows; identifiers are placeholders. */
export function validValue(schema: Schema, setting: FieldContext): fc.Arbitrary<unknown> {
  const target = setting.resolve(schema);
  const { anyOf = target.oneOf, allOf } = target;
  if (target.const !== undefined) return fc.constant(target.const);
  if (target.enum) return fc.constantFrom(...target.enum);
  if (anyOf) return fc.oneof(...anyOf.map((option) => validValue(option, setting)));
  if (allOf)
    return fc
      .tuple(...allOf.map((part) => validValue(part, setting)))
      .map((parts) => Object.assign({}, ...parts));
  const types = [target.type ?? "object"].flat();
  return fc.oneof(...types.map((type) => valueOfType(type, target, setting)));
}

function valueOfType(type: string, schema: Schema, setting: FieldContext): fc.Arbitrary<unknown> {
  const { minimum = (schema.exclusiveMinimum ?? -1) + 1, maximum = minimum + 50 } = schema;
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ min: Math.ceil(minimum), max: Math.min(maximum, minimum + 50) });
    case "number":
      return fc.double({ min: minimum, max: Math.min(maximum, minimum + 50), noNaN: true });
    case "array":
      return fc.array(validValue(schema.items ?? {}, setting), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 2, 2)),
      });
    case "object":
      return objectOf(schema, setting);
    default:
      return validText(schema, setting);
  }
}

function objectOf(
  { properties = {}, required = [] }: Schema,
  setting: FieldContext,
): fc.Arbitrary<unknown> {
  const shape = Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      validValue(field, { ...setting, name }),
    ]),
  );
  return fc.record(shape, {
    requiredKeys: Object.keys(shape).filter((name) => required.includes(name)),
    noNullPrototype: true,
  });
}

function validText(schema: Schema, { name }: FieldContext): fc.Arbitrary<unknown> {
  const { example, format, pattern, minLength = 0, maxLength = 200 } = schema;
  const kinds = recordKindsByField[name];
  if (kinds) return fc.constantFrom(...kinds.map(placeholderOf));
  const known = examples[name];
  if (known && format === undefined) return fc.constantFrom(...known);
  if (example !== undefined) return fc.constant(example);
  if (format === "date-time")
    return fc.constantFrom("2030-01-07T09:00:00Z", "2030-01-07T10:30:00.5+01:00");
  if (format === "date") return fc.constantFrom("2030-01-07", "2028-02-29");
  if (format === "email") return fc.constant("ama@example.com");
  if (pattern !== undefined) return textMatching(pattern);
  return fc
    .constantFrom("Tea", "Ama's cup", "tea 2", "żółw", "9")
    .map((text) => text.padEnd(minLength, "x").slice(0, maxLength));
}

/** Texts that match a pattern; likely ones if the generator cannot read the pattern. */
function textMatching(pattern: string): fc.Arbitrary<string> {
  try {
    return fc.stringMatching(new RegExp(pattern));
  } catch {
    return fc.constantFrom("2030-01-07", "09:00", "tea");
  }
}
