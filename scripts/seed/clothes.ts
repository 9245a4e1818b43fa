import type { Business, BusinessSchemas } from "../../sdk/src/index.ts";
import { seedOffers } from "./clothes-offers.ts";

type Garment = Readonly<{
  handle: string;
  title: string;
  description: string;
  type: string;
  tags: string;
  price: string;
  options: readonly (readonly [name: string, values: readonly string[]])[];
  /** What a piece weighs. */
  grams: number;
  /**
   * The stock of each variant, in order. Starts again at the first number when there are more
   * variants.
   */
  stock: readonly number[];
  /** The tax class; `standard` when left out. */
  taxClass?: "reduced";
}>;

const adult = ["S", "M", "L", "XL"] as const;

const garments: readonly Garment[] = [
  {
    handle: "everyday-tee",
    title: "Everyday Tee",
    description: "Heavy cotton, cut straight, better after the tenth wash.",
    type: "Tops",
    tags: "cotton, basics",
    price: "1450.00",
    options: [
      ["Size", adult],
      ["Color", ["Clay", "Ink", "Sand"]],
    ],
    grams: 180,
    stock: [12, 8, 20, 5],
  },
  {
    handle: "market-shirt",
    title: "Market Shirt",
    description: "Short sleeves, wax print, coconut buttons. No two fall alike.",
    type: "Tops",
    tags: "wax print, summer",
    price: "3200.00",
    options: [
      ["Size", adult],
      ["Print", ["Dots", "Waves"]],
    ],
    grams: 220,
    stock: [4, 7, 3, 0],
  },
  {
    handle: "wrap-dress",
    title: "Lamu Wrap Dress",
    description: "Viscose that dries on the line in an hour. Two pockets, deep ones.",
    type: "Dresses",
    tags: "summer, pockets",
    price: "5400.00",
    options: [
      ["Size", adult],
      ["Color", ["Berry", "Ochre"]],
    ],
    grams: 350,
    stock: [6, 9, 2],
  },
  {
    handle: "linen-trousers",
    title: "Linen Trousers",
    description: "A drawstring, a straight leg and nothing else to think about.",
    type: "Trousers",
    tags: "linen, basics",
    price: "4100.00",
    options: [
      ["Waist", ["30", "32", "34", "36"]],
      ["Length", ["Regular", "Long"]],
    ],
    grams: 420,
    stock: [5, 5, 8, 3],
  },
  {
    handle: "headwrap",
    title: "Two-metre Headwrap",
    description: "Long enough for every knot your aunt knows.",
    type: "Accessories",
    tags: "wax print, gift",
    price: "950.00",
    options: [["Pattern", ["Sunrise", "Lake", "Baobab"]]],
    grams: 150,
    stock: [30, 18],
    taxClass: "reduced",
  },
  {
    handle: "tote",
    title: "Canvas Tote",
    description: "Carries a market. Printed by hand in Kariobangi.",
    type: "Accessories",
    tags: "gift, cotton",
    price: "1200.00",
    options: [],
    grams: 240,
    stock: [60],
    taxClass: "reduced",
  },
];

const pictureByHandle: Readonly<Record<string, string>> = {
  "everyday-tee": "tee",
  "market-shirt": "shirt",
  "wrap-dress": "dress",
  "linen-trousers": "trousers",
};

/** The value-added tax of each country that the shop sells to: the standard and the reduced rate. */
const taxRates = [
  ["KE", "16", "8"],
  ["TZ", "18", "9"],
  ["UG", "18", "6"],
] as const;

async function seedTaxes(shop: Business): Promise<void> {
  await shop.tax.createClass({ code: "reduced", name: "Handmade accessories" });
  await Promise.all(
    taxRates.flatMap(([country, standard, reduced]) => [
      shop.tax.createRate({
        ...{ name: "VAT", country, rate_percent: standard, tax_class: "standard" },
        applies_to_delivery: true,
      }),
      shop.tax.createRate({ name: "VAT", country, rate_percent: reduced, tax_class: "reduced" }),
    ]),
  );
}

type MethodFields = Omit<BusinessSchemas["CreateDeliveryMethodRequest"], "zone_id">;

/** Where the shop delivers. A place belongs to the most specific zone that has it. */
const deliveryZones: readonly Readonly<{
  name: string;
  areas: { country: string; regions?: string[] }[];
  methods: readonly MethodFields[];
}>[] = [
  {
    name: "Nairobi",
    areas: [{ country: "KE", regions: ["Nairobi", "Nairobi County"] }],
    methods: [
      {
        ...{ name: "Rider", description: "By motorbike, the same day.", free_over: "8000.00" },
        ...{ price: { type: "flat", amount: "250.00" }, min_days: 0, max_days: 1 },
      },
    ],
  },
  {
    name: "Kenya",
    areas: [{ country: "KE" }],
    methods: [
      {
        ...{ name: "Courier", description: "To your door.", min_days: 2, max_days: 4 },
        price: {
          type: "by_weight",
          tiers: [
            { max_grams: 1_000, amount: "450.00" },
            { max_grams: 5_000, amount: "700.00" },
          ],
        },
      },
    ],
  },
  {
    name: "East Africa",
    areas: [{ country: "TZ" }, { country: "UG" }],
    methods: [
      {
        ...{ name: "Parcel", min_days: 5, max_days: 9, payment_methods: ["card"] },
        price: {
          type: "by_subtotal",
          tiers: [
            { min_subtotal: "2000.00", amount: "1800.00" },
            { min_subtotal: "10000.00", amount: "900.00" },
          ],
        },
      },
    ],
  },
];

async function seedDeliveries(shop: Business): Promise<void> {
  await Promise.all(
    deliveryZones.map(async ({ methods, ...fields }) => {
      const { data: zone } = await shop.delivery.createZone(fields);
      await Promise.all(
        methods.map((method) => shop.delivery.createMethod({ ...method, zone_id: zone.id })),
      );
    }),
  );
}

/**
 * Seeds the clothes shop with taxes, delivery zones, a pickup, offers, and with products from a CSV
 * file, like a merchant who comes from another platform, and puts the products into categories.
 */
export async function seedClothes(
  shop: Business,
  { locationId, origin }: Readonly<{ locationId: string; origin: string }>,
): Promise<void> {
  await seedTaxes(shop); // the file names the tax classes
  const types = [...new Set(garments.map(({ type }) => type))];
  const [categories] = await Promise.all([
    Promise.all(
      types.map((name, index) => shop.categories.create({ name, sort_order: index + 1 })),
    ),
    shop.products.import({ file: formatClothesCsv(origin) }),
    seedDeliveries(shop),
    seedOffers(shop),
    shop.locations.update(locationId, {
      offers_pickup: true,
      pickup_instructions: "At the counter by the door. Say the order's number.",
    }),
  ]);
  const { items } = await shop.products.list({ limit: 100 }).page();
  await Promise.all(
    items.map(({ id, slug }) => {
      const type = garments.find(({ handle }) => handle === slug)?.type;
      const category = categories.find(({ data }) => data.name === type);
      return shop.products.update(id, { category_id: category?.data.id ?? null });
    }),
  );
}

const header = [
  "Handle",
  "Title",
  "Body (HTML)",
  "Type",
  "Tags",
  "Published",
  "Tax Class",
  "Option1 Name",
  "Option1 Value",
  "Option2 Name",
  "Option2 Value",
  "Variant SKU",
  "Variant Grams",
  "Variant Inventory Tracker",
  "Variant Inventory Qty",
  "Variant Inventory Policy",
  "Variant Price",
  "Image Src",
  "Image Position",
];

const formatClothesCsv = (origin: string): string =>
  [header, ...garments.flatMap((garment) => csvRowsFor(garment, origin))]
    .map((row) => row.map(quoteCsvCell).join(","))
    .join("\n");

function csvRowsFor(garment: Garment, origin: string): string[][] {
  const { handle, title, description, type, tags, price, options, grams, stock } = garment;
  const { taxClass = "standard" } = garment;
  const [first, second] = options;
  const variants = (first?.[1] ?? ["Default Title"]).flatMap((firstValue) =>
    (second?.[1] ?? [""]).map((secondValue) => [firstValue, secondValue] as const),
  );
  return variants.map(([firstValue, secondValue], index) => {
    const isFirst = index === 0;
    const productCells = isFirst
      ? [title, description, type, tags, "true", taxClass]
      : ["", "", "", "", "", ""];
    const sku = [handle, firstValue, secondValue]
      .filter((part) => part !== "" && part !== "Default Title")
      .join("-");
    return [
      handle,
      ...productCells,
      isFirst ? (first?.[0] ?? "Title") : "",
      firstValue,
      isFirst ? (second?.[0] ?? "") : "",
      secondValue,
      sku.toUpperCase(),
      String(grams),
      "shopify",
      String(stock[index % stock.length] ?? 0),
      "deny",
      price,
      isFirst ? `${origin}/demo/clothes/${pictureByHandle[handle] ?? handle}.svg` : "",
      isFirst ? "1" : "",
    ];
  });
}

const quoteCsvCell = (cell: string) =>
  /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
