import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ApiResponse } from "../support/world.ts";
import { allowedGrowth, storedInCore, withoutSuccess } from "./growth/allowed-growth.ts";
import {
  createShopsOfTwoSizes,
  type MeasuredResponse,
  type MeasuredResponses,
  setClock,
} from "./growth/create-shops-of-two-sizes.ts";
import { type RequestVariant, requestVariants, withQuery } from "./growth/request-variants.ts";
import { inRunnableOrder } from "./operation-order.ts";
import { byId, listOperations, type Operation } from "./operations.ts";

/**
 * Copies of every record: two full pages in the small shop, and 40 more rows in the large one if
 * each is read once.
 */
const copies = { small: 22, large: 62 };
/**
 * Rows by which two shops of the same size may differ: keys, sessions and work after the response.
 */
const rowTolerance = 20;

/**
 * A quote expires after 15 minutes, and the clock advances with every request. A later operation
 * changes when the service is offered.
 */
const runsFirst = ({ id }: Operation): boolean =>
  /\/quotes|^POST .*\/(?:cart\/items|bookings)$/.test(id);

const documented = await listOperations();
const testedOperations = inRunnableOrder(documented.filter(({ id }) => !storedInCore.test(id)));
const operations = [
  ...testedOperations.filter(runsFirst),
  ...testedOperations.filter((one) => !runsFirst(one)),
];

let shops: Awaited<ReturnType<typeof createShopsOfTwoSizes>>;

beforeAll(async () => {
  setClock();
  shops = await createShopsOfTwoSizes(copies);
}, 60_000);
beforeEach(() => setClock()); // the setup file resets the clock after each test

/** `shape` is the key in the table of allowed growth; `request` distinguishes its pages. */
type VariantResult = Readonly<{ shape: string; request: string; read: MeasuredResponses }>;

/** Measures every variant of an operation, and the next page if there is one. */
async function measureAllVariants(operation: Operation): Promise<VariantResult[]> {
  const results: VariantResult[] = [];
  for (const shape of requestVariants(operation)) {
    const name = `${operation.id}${shape.name}`;
    const { request: both } = shape;
    const read = await shops.ask(operation, { small: both, large: both });
    results.push({ shape: name, request: name, read });
    const next = nextPageRequests(shape, read);
    if (next) {
      const onward = await shops.ask(operation, next);
      results.push({ shape: name, request: `${name}, next page`, read: onward });
    }
  }
  return results;
}

function nextPageRequests({ request, name }: RequestVariant, { small, large }: MeasuredResponses) {
  const [inSmall, inLarge] = [cursorOf(small), cursorOf(large)];
  if (inSmall === null || inLarge === null || name.includes("page=")) return null;
  return {
    small: withQuery(request, { cursor: inSmall }),
    large: withQuery(request, { cursor: inLarge }),
  };
}

const cursorOf = ({ answer: { body } }: MeasuredResponse): string | null =>
  Object(Object(Object(body).data).pagination).next_cursor ?? null;

const hasGrown = ({ small, large }: MeasuredResponses): boolean =>
  large.rows > small.rows + rowTolerance;

/** Lists the statements that read more rows in the large shop. */
const describeGrowth = ({ request, read: { small, large } }: VariantResult): string =>
  [
    `${request}: ${small.rows} rows, and ${large.rows} of the large business`,
    ...[...large.rowsBySql].flatMap(([statement, rows]) => {
      const before = small.rowsBySql.get(statement) ?? 0;
      return rows > before + rowTolerance / 4 ? [`  ${before} and ${rows}: ${statement}`] : [];
    }),
  ].join("\n");

const variantNames = (results: readonly VariantResult[]) =>
  new Set(results.map(({ shape }) => shape));

const succeeded = ({ status }: ApiResponse): boolean => status < 300;

describe("a business with three times as many records of every kind", () => {
  const known = new Set<string>();

  it.each(byId(operations))("reads no more rows for %s", async (_, operation) => {
    const results = await measureAllVariants(operation);
    for (const { shape, request, read } of results) {
      expect(read.large.answer.status, request).toBe(read.small.answer.status);
      known.add(shape);
    }
    const isAnswered = results.some(({ read }) => succeeded(read.small.answer));
    expect(isAnswered, "succeeds").toBe(!withoutSuccess.includes(operation.id));
    const grown = results.filter(({ read }) => hasGrown(read));
    const unlisted = grown.filter(({ shape }) => !allowedGrowth.has(shape));
    expect(unlisted.map(describeGrowth).join("\n")).toBe("");
    const listed = results.filter(({ shape }) => allowedGrowth.has(shape));
    expect(variantNames(listed), "the table is exact").toEqual(variantNames(grown));
  });

  it("uses every entry of the table", () => {
    expect([...allowedGrowth.keys()].filter((shape) => !known.has(shape))).toEqual([]);
  });
});
