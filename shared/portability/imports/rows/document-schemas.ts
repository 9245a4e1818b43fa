import { z } from "zod";
import { weekdays } from "../../../kernel/index.ts";
import type * as tables from "../../format/tables.ts";
import {
  closures,
  count,
  countOrNull,
  currencyCode,
  date,
  dayTime,
  instant,
  integer,
  jsonRecord,
  lineChoices,
  lineConfiguration,
  listOf,
  mobileMoney,
  paymentMethodName,
  percent,
  planInterval,
  text,
  textOrNull,
  textRecord,
  texts,
  timezoneName,
  webAddress,
  weeklyHours,
} from "./values.ts";

type ColumnsOf<T extends keyof typeof tables> = (typeof tables)[T]["$inferSelect"];

/** A schema whose output has the type of a column, so that the code that reads it can rely on it. */
const column =
  <T>() =>
  <S extends z.ZodType<T>>(schema: S): z.ZodType =>
    schema;

type ProductColumns = ColumnsOf<"products">;
type OrderColumns = ColumnsOf<"orders">;
type LineColumns = ColumnsOf<"orderLines">;
type DealColumns = ColumnsOf<"deals">;
type ServiceColumns = ColumnsOf<"services">;

const component = {
  componentId: text,
  name: text,
};
const lineContents = listOf({
  ...component,
  productId: textOrNull,
  variantId: textOrNull,
  variantName: textOrNull,
  addOnOptionId: textOrNull,
  addOnOptionName: textOrNull,
  quantity: count,
  unitPriceMinor: integer,
});
const plan = {
  id: text,
  name: text,
  interval: planInterval,
  intervalCount: integer.min(1).max(366),
  trialDays: count,
};

/** The schemas of the JSON columns, by table. A column that may be null also takes null. */
export const documentSchemas: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  locations: {
    address: column<ColumnsOf<"locations">["address"]>()(
      z.looseObject({
        streetAddress: textOrNull,
        city: textOrNull,
        region: textOrNull,
        country: textOrNull,
        postalCode: textOrNull,
      }),
    ),
    operating_hours: column<ColumnsOf<"locations">["operatingHours"]>()(weeklyHours),
    closures: column<ColumnsOf<"locations">["closures"]>()(closures),
  },
  categories: { metadata: jsonRecord },
  collections: {
    metadata: jsonRecord,
    rule: column<ColumnsOf<"collections">["rule"]>()(z.looseObject({ tags: texts })),
  },
  attributes: { values: texts },
  products: {
    tags: column<ProductColumns["tags"]>()(texts),
    properties: column<ProductColumns["properties"]>()(jsonRecord),
    images: column<ProductColumns["images"]>()(
      listOf({ id: text.exactOptional(), url: webAddress, isPrimary: z.boolean() }),
    ),
    variant_axes: column<ProductColumns["variantAxes"]>()(
      listOf({ name: text, label: text, values: texts }),
    ),
    add_ons: column<ProductColumns["addOns"]>()(
      listOf({
        id: text,
        name: text,
        selectionType: z.enum(["single", "multiple"]),
        isRequired: z.boolean(),
        options: listOf({ id: text, name: text, priceMinor: count }),
      }),
    ),
    price_overrides: column<ProductColumns["priceOverrides"]>()(
      listOf({ locationId: text, variantId: textOrNull, priceMinor: count }),
    ),
    schedules: column<ProductColumns["schedules"]>()(
      listOf({
        id: text,
        locationId: textOrNull,
        days: z.array(z.enum(weekdays)).max(7),
        startTime: dayTime,
        endTime: dayTime,
        timezone: timezoneName,
        startsOn: date.nullable(),
        endsOn: date.nullable(),
      }),
    ),
    billing_plan_ids: column<ProductColumns["billingPlanIds"]>()(texts),
    imported_columns: column<ProductColumns["importedColumns"]>()(textRecord),
  },
  product_variants: {
    axis_values: column<ColumnsOf<"productVariants">["axisValues"]>()(textRecord),
    imported_columns: column<ColumnsOf<"productVariants">["importedColumns"]>()(textRecord),
  },
  bundles: {
    components: column<ColumnsOf<"bundles">["components"]>()(
      listOf({
        ...component,
        productId: text,
        defaultVariantId: textOrNull,
        quantity: count,
        isSwappable: z.boolean(),
      }),
    ),
    pricing: column<ColumnsOf<"bundles">["pricing"]>()(
      z.discriminatedUnion("type", [
        z.looseObject({ type: z.literal("fixed") }),
        z.looseObject({ type: z.literal("percent_off"), percent }),
        z.looseObject({ type: z.literal("amount_off"), amountMinor: count }),
      ]),
    ),
  },
  composites: {
    groups: column<ColumnsOf<"composites">["groups"]>()(
      listOf({
        id: text,
        name: text,
        minSelections: count,
        maxSelections: count,
        components: listOf({ ...component, priceMinor: integer, productId: textOrNull }),
      }),
    ),
  },
  staff: {
    hours: column<ColumnsOf<"staff">["hours"]>()(weeklyHours),
    time_off: column<ColumnsOf<"staff">["timeOff"]>()(closures),
  },
  services: {
    location_ids: column<ServiceColumns["locationIds"]>()(texts),
    staff_ids: column<ServiceColumns["staffIds"]>()(texts),
    resource_ids: column<ServiceColumns["resourceIds"]>()(texts),
  },
  slot_claims: { resource_ids: texts },
  customers: { tags: texts },
  deals: {
    scope_ids: column<DealColumns["scopeIds"]>()(texts),
    buy_scope_ids: column<DealColumns["buyScopeIds"]>()(texts),
    tiers: column<DealColumns["tiers"]>()(listOf({ minQuantity: count, percent })),
    combines_with: column<DealColumns["combinesWith"]>()(
      z.array(z.enum(["product", "order", "delivery"])).max(3),
    ),
    customer_group_ids: column<DealColumns["customerGroupIds"]>()(texts),
  },
  orders: {
    discounts: column<OrderColumns["discounts"]>()(
      listOf({
        dealId: text,
        code: textOrNull,
        name: text,
        amountMinor: count,
        shares: z.array(integer).max(20_000),
        deliveryShareMinor: count.exactOptional(),
      }),
    ),
    address_info: column<OrderColumns["addressInfo"]>()(jsonRecord),
    metadata: column<OrderColumns["metadata"]>()(jsonRecord),
    tags: column<OrderColumns["tags"]>()(texts),
    tax: column<OrderColumns["tax"]>()(
      z.looseObject({ ratePercent: percent, isInclusive: z.boolean() }),
    ),
    tax_lines: column<OrderColumns["taxLines"]>()(
      listOf({ name: text, ratePercent: percent, taxableMinor: integer, amountMinor: integer }),
    ),
    delivery: column<OrderColumns["delivery"]>()(
      z.looseObject({
        optionId: text,
        type: z.enum(["delivery", "pickup"]),
        name: text,
        locationId: text,
        minDays: countOrNull,
        maxDays: countOrNull,
        paymentMethods: z.array(paymentMethodName).nullable(),
      }),
    ),
  },
  order_lines: {
    add_on_option_ids: column<LineColumns["addOnOptionIds"]>()(texts),
    price_parts: column<LineColumns["priceParts"]>()(listOf({ name: text, amountMinor: integer })),
    choices: column<LineColumns["choices"]>()(lineChoices),
    subscription: column<LineColumns["subscription"]>()(
      z.discriminatedUnion("type", [
        z.looseObject({
          type: z.literal("new"),
          plan: z.looseObject({
            ...plan,
            priceMinor: count,
            minQuantity: count,
            minOrderValueMinor: count,
          }),
          renewalPriceMinor: count.exactOptional(),
          configuration: lineConfiguration,
          mobileMoney,
        }),
        z.looseObject({ type: z.literal("renewal"), subscriptionId: text }),
      ]),
    ),
    details: column<LineColumns["details"]>()(
      z.looseObject({
        slug: text,
        imageUrl: webAddress.nullable(),
        addOns: listOf({ id: text, name: text, groupName: text, priceMinor: integer }),
        contents: lineContents,
      }),
    ),
    stock_per_unit: column<LineColumns["stockPerUnit"]>()(
      z.array(z.tuple([text, count])).max(1_000),
    ),
  },
  delivery_zones: {
    areas: column<ColumnsOf<"deliveryZones">["areas"]>()(
      listOf({ country: text, regions: texts, postalCodePrefixes: texts }),
    ),
    location_ids: column<ColumnsOf<"deliveryZones">["locationIds"]>()(texts),
  },
  delivery_methods: {
    price: column<ColumnsOf<"deliveryMethods">["price"]>()(
      z.discriminatedUnion("type", [
        z.looseObject({ type: z.literal("flat"), amountMinor: count }),
        z.looseObject({
          type: z.literal("by_subtotal"),
          tiers: listOf({ minSubtotalMinor: count, amountMinor: count }),
        }),
        z.looseObject({
          type: z.literal("by_weight"),
          tiers: listOf({ maxGrams: count, amountMinor: count }),
        }),
      ]),
    ),
    payment_methods: column<ColumnsOf<"deliveryMethods">["paymentMethods"]>()(
      z.array(paymentMethodName),
    ),
  },
  payments: {
    receipt: column<ColumnsOf<"payments">["receipt"]>()(
      z.looseObject({ method: text, reference: textOrNull }),
    ),
    mismatch: column<ColumnsOf<"payments">["mismatch"]>()(
      z.looseObject({ reference: text, amountMinor: count, currency: currencyCode }),
    ),
    dispute: column<ColumnsOf<"payments">["dispute"]>()(
      z.looseObject({
        id: text,
        status: z.enum([
          ...(["needs_response", "under_review", "won", "lost", "prevented"] as const),
          ...(["warning_needs_response", "warning_under_review", "warning_closed"] as const),
        ]),
        reason: text,
        amountMinor: count,
        currency: currencyCode,
        dueBy: instant.nullable(),
        openedAt: instant,
        updatedAt: instant,
      }),
    ),
  },
  payment_references: {
    fx: column<ColumnsOf<"paymentReferences">["fx"]>()(
      z.looseObject({ quoteId: text, rate: text }),
    ),
  },
  subscriptions: {
    plan: column<ColumnsOf<"subscriptions">["plan"]>()(
      z.looseObject({ ...plan, hasFreeTrial: z.boolean().exactOptional() }),
    ),
    items: column<ColumnsOf<"subscriptions">["items"]>()(
      listOf({
        productId: text,
        productName: text,
        variantId: textOrNull,
        variantName: textOrNull,
        quantity: count,
        unitPriceMinor: count,
        configuration: lineConfiguration,
      }),
    ),
  },
};
