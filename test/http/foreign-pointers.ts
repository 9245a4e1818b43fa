import type { Name, Row } from "./foreign-row.ts";
import type { Kind } from "./foreign-world.ts";

export const pointsAt = (kinds: readonly Kind[]): NonNullable<Row["outcomes"]> =>
  Object.fromEntries(kinds.map((kind) => [kind, "refused" as const]));

/** What a product's fields may point at. */
export const productPointers: readonly Row[] = [
  {
    body: (id) => ({ category_id: id("category_id") }),
    outcomes: pointsAt(["category_id"]),
  },
  {
    body: (id) => ({ billing_plan_ids: [id("billing_plan_id")] }),
    outcomes: pointsAt(["billing_plan_id"]),
  },
  {
    body: (id) => ({
      price_overrides: [
        { location_id: id("spare_location_id"), variant_id: id("variant_id"), price: "1" },
      ],
    }),
    outcomes: pointsAt(["spare_location_id", "variant_id"]),
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
    outcomes: pointsAt(["spare_location_id"]),
  },
];

/** The same rows, each body with what else a new record needs. */
export const created = (needed: object, rows: readonly Row[]): readonly Row[] =>
  rows.map((row) => ({ ...row, body: (id) => ({ ...needed, ...row.body?.(id) }) }));

/** Parts of a record of one's own that claim to be what another's record has. */
export const productParts: readonly Row[] = [
  {
    body: (id) => ({
      variants: [{ id: id("variant_id"), name: "Mine", axis_values: { size: "S" } }],
    }),
    outcomes: pointsAt(["variant_id"]),
  },
  {
    body: (id) => ({
      add_ons: [
        {
          id: id("add_on_group_id"),
          name: "Mine",
          options: [{ id: id("add_on_option_id"), name: "Mine" }],
        },
      ],
    }),
    outcomes: pointsAt(["add_on_group_id", "add_on_option_id"]),
  },
  {
    body: (id) => ({
      schedules: [{ id: id("schedule_id"), days: ["mon"], start_time: "09:00", end_time: "17:00" }],
    }),
    outcomes: pointsAt(["schedule_id"]),
  },
];
export const bundleParts: readonly Row[] = [
  {
    body: (id) => ({
      components: [
        { component_id: id("bundle_component_id"), name: "Cup", product_id: id("cup_id") },
      ],
    }),
    outcomes: pointsAt(["bundle_component_id", "cup_id"]),
  },
];
export const compositeParts: readonly Row[] = [
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
    outcomes: pointsAt(["group_id", "composite_component_id"]),
  },
];

export const bundlePointers: readonly Row[] = [
  {
    body: (id) => ({
      components: [
        { name: "Tea", product_id: id("product_id"), default_variant_id: id("variant_id") },
      ],
    }),
    outcomes: pointsAt(["product_id", "variant_id"]),
  },
  ...productPointers.map(({ body, outcomes }) => ({
    body: (id: Name) => ({
      components: [{ name: "Cup", product_id: id("cup_id") }],
      ...body?.(id),
    }),
    outcomes: { ...outcomes, ...pointsAt(["cup_id"]) },
  })),
];

export const oneGroup = [{ name: "Base", components: [{ name: "Rice" }] }];
export const compositePointers: readonly Row[] = [
  {
    body: (id) => ({
      groups: [{ name: "Base", components: [{ name: "Cup", product_id: id("cup_id") }] }],
    }),
    outcomes: pointsAt(["cup_id"]),
  },
];
export const servicePointers: readonly Row[] = [
  {
    body: (id) => ({ location_ids: [id("spare_location_id")] }),
    outcomes: pointsAt(["spare_location_id"]),
  },
  { body: (id) => ({ staff_ids: [id("staff_id")] }), outcomes: pointsAt(["staff_id"]) },
  { body: (id) => ({ resource_ids: [id("resource_id")] }), outcomes: pointsAt(["resource_id"]) },
];
export const collectionPointers: readonly Row[] = [
  {
    body: (id) => ({ product_ids: [id("product_id")] }),
    outcomes: pointsAt(["product_id"]),
  },
];
export const attributePointers: readonly Row[] = [
  { body: (id) => ({ category_id: id("category_id") }), outcomes: pointsAt(["category_id"]) },
  { body: (id) => ({ collection_id: id("collection_id") }), outcomes: pointsAt(["collection_id"]) },
];
export const dealPointers: readonly Row[] = (
  [
    ["product", "product_id"],
    ["category", "category_id"],
    ["collection", "collection_id"],
  ] as const
).map(([scope, kind]) => ({
  body: (id) => ({ applies_to: { scope, ids: [id(kind)] } }),
  outcomes: pointsAt([kind]),
}));
