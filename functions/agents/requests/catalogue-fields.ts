import { z } from "@hono/zod-openapi";
import { maxAmountMinor } from "../../../shared/kernel/index.ts";
import { text } from "../../wire/fields.ts";

/** The most identifiers of one look-up (docs/agents.md#catalogue). */
export const maxLookupIds = 50;
const defaultPageSize = 10;
const maxPageSize = 50;

const identifier = () => text(300).min(1);

/** An amount in minor units. A larger one is no price, so it bounds nothing. */
const amount = () =>
  z
    .number()
    .int()
    .min(0)
    .transform((minor) => Math.min(minor, maxAmountMinor));

const filters = z.object({
  categories: z.array(text(200)).max(50).optional(),
  price: z.object({ min: amount().optional(), max: amount().optional() }).optional(),
});
export type CatalogueFilters = z.output<typeof filters>;

/** What the buyer's surroundings suggest. Hints that are not understood are ignored. */
const context = z.object({ currency: z.string().max(10).optional().catch(undefined) });

const shared = {
  filters: filters.default({}),
  context: context.default({}).catch({}),
};

const pagination = z.object({
  cursor: text(2_000).optional(),
  limit: z
    .number()
    .int()
    .min(1)
    .default(defaultPageSize)
    .transform((limit) => Math.min(limit, maxPageSize)),
});

export const SearchRequest = z
  .object({
    ...shared,
    query: text(200)
      .optional()
      .transform((query) => query?.trim() || null),
    pagination: pagination.default({ limit: defaultPageSize }),
  })
  .refine(
    ({ query, filters: { categories, price } }) =>
      query !== null || categories !== undefined || price !== undefined,
    "must have a query or a filter",
  );

export const LookupRequest = z.object({ ...shared, ids: z.array(identifier()).min(1) });

const selectedOption = z.object({ name: text(200), label: text(200) });

export const ProductRequest = z.object({
  ...shared,
  id: identifier(),
  selected: z
    .array(selectedOption)
    .max(50)
    .refine(
      (selected) => new Set(selected.map(({ name }) => name)).size === selected.length,
      "must name each option at most once",
    )
    .optional(),
  preferences: z.array(text(200)).max(50).default([]),
});
