import type { RecordKind } from "../create-customer-records.ts";
import type { IdFor, SampleRequest } from "./sample-request.ts";

export const refusedFor = (kinds: readonly RecordKind[]): NonNullable<SampleRequest["outcomes"]> =>
  Object.fromEntries(kinds.map((kind) => [kind, "refused" as const]));

/** Product fields that refer to other records. */
export const productReferences: readonly SampleRequest[] = [
  {
    body: (id) => ({ category_id: id("category_id") }),
    outcomes: refusedFor(["category_id"]),
  },
  {
    body: (id) => ({ billing_plan_ids: [id("billing_plan_id")] }),
    outcomes: refusedFor(["billing_plan_id"]),
  },
  {
    body: (id) => ({
      price_overrides: [
        { location_id: id("spare_location_id"), variant_id: id("variant_id"), price: "1" },
      ],
    }),
    outcomes: refusedFor(["spare_location_id", "variant_id"]),
  },
  {
    body: (id) => ({
      schedules: [
        {
          days: ["mon"],
          start_time: "09:00",
          end_time: "17:00",
          location_id: id("spare_location_id"),
        },
      ],
    }),
    outcomes: refusedFor(["spare_location_id"]),
  },
];

/** Adds the fields that a new record requires to each body. */
export const withRequiredFields = (
  requiredFields: object,
  rows: readonly SampleRequest[],
): readonly SampleRequest[] =>
  rows.map((row) => ({ ...row, body: (id) => ({ ...requiredFields, ...row.body?.(id) }) }));

/** Parts of the caller's record that carry the identifiers of another record's parts. */
export const productParts: readonly SampleRequest[] = [
  {
    body: (id) => ({
      variants: [
        { id: id("variant_id"), name: "Pot", axis_values: { size: "S" } },
        { name: "Large", axis_values: { size: "L" } },
      ],
    }),
    outcomes: refusedFor(["variant_id"]),
  },
  {
    body: (id) => ({
      add_ons: [
        {
          id: id("add_on_group_id"),
          name: "Milk",
          options: [{ id: id("add_on_option_id"), name: "Oat milk" }, { name: "Soy" }],
        },
      ],
    }),
    outcomes: refusedFor(["add_on_group_id", "add_on_option_id"]),
  },
  {
    body: (id) => ({
      schedules: [{ id: id("schedule_id"), days: ["mon"], start_time: "09:00", end_time: "17:00" }],
    }),
    outcomes: refusedFor(["schedule_id"]),
  },
];
export const bundleParts: readonly SampleRequest[] = [
  {
    body: (id) => ({
      components: [
        { component_id: id("bundle_component_id"), name: "Cup", product_id: id("cup_id") },
      ],
    }),
    outcomes: refusedFor(["bundle_component_id", "cup_id"]),
  },
];
export const compositeParts: readonly SampleRequest[] = [
  {
    body: (id) => ({
      groups: [
        {
          id: id("group_id"),
          name: "Base",
          components: [{ component_id: id("composite_component_id"), name: "Rice" }],
        },
      ],
    }),
    outcomes: refusedFor(["group_id", "composite_component_id"]),
  },
];

export const bundleReferences: readonly SampleRequest[] = [
  {
    body: (id) => ({
      components: [
        { name: "Tea", product_id: id("product_id"), default_variant_id: id("variant_id") },
      ],
    }),
    outcomes: refusedFor(["product_id", "variant_id"]),
  },
  ...productReferences.map(({ body, outcomes }) => ({
    body: (id: IdFor) => ({
      components: [{ name: "Cup", product_id: id("cup_id") }],
      ...body?.(id),
    }),
    outcomes: { ...outcomes, ...refusedFor(["cup_id"]) },
  })),
];

export const oneGroup = [{ name: "Base", components: [{ name: "Rice" }] }];
export const compositeReferences: readonly SampleRequest[] = [
  {
    body: (id) => ({
      groups: [{ name: "Base", components: [{ name: "Cup", product_id: id("cup_id") }] }],
    }),
    outcomes: refusedFor(["cup_id"]),
  },
];
export const serviceReferences: readonly SampleRequest[] = [
  {
    body: (id) => ({ location_ids: [id("spare_location_id")] }),
    outcomes: refusedFor(["spare_location_id"]),
  },
  { body: (id) => ({ staff_ids: [id("staff_id")] }), outcomes: refusedFor(["staff_id"]) },
  { body: (id) => ({ resource_ids: [id("resource_id")] }), outcomes: refusedFor(["resource_id"]) },
];
export const collectionReferences: readonly SampleRequest[] = [
  {
    body: (id) => ({ product_ids: [id("product_id")] }),
    outcomes: refusedFor(["product_id"]),
  },
];
export const attributeReferences: readonly SampleRequest[] = [
  { body: (id) => ({ category_id: id("category_id") }), outcomes: refusedFor(["category_id"]) },
  {
    body: (id) => ({ collection_id: id("collection_id") }),
    outcomes: refusedFor(["collection_id"]),
  },
];
export const dealReferences: readonly SampleRequest[] = [
  ...(
    [
      ["product", "product_id"],
      ["category", "category_id"],
      ["collection", "collection_id"],
    ] as const
  ).flatMap(([scope, kind]): SampleRequest[] => [
    {
      body: (id) => ({ applies_to: { scope, ids: [id(kind)] } }),
      outcomes: refusedFor([kind]),
    },
    {
      body: (id) => ({
        discount_type: "buy_x_get_y",
        value: null,
        buy_quantity: 2,
        buy_scope: { scope, ids: [id(kind)] },
        get_quantity: 1,
        get_scope: { scope, ids: [id(kind)] },
        percent: "50",
      }),
      outcomes: refusedFor([kind]),
    },
  ]),
  {
    body: (id) => ({ customer_group_ids: [id("customer_group_id")] }),
    outcomes: refusedFor(["customer_group_id"]),
  },
];
