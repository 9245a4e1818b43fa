import { createBusiness } from "./create-shop.ts";
import { type Measurement, runLoad } from "./load.ts";
import type { BenchOptions } from "./options.ts";
import { formatRateTable } from "./report.ts";
import { type BenchResult, inTurn, p50Of, resultOf } from "./results.ts";
import { runInParallel } from "./run-in-parallel.ts";
import type { BenchRuntime } from "./runtime.ts";
import { createVisitor, type Visitor } from "./visitor.ts";
import { memoryMbOf } from "./workerd-process.ts";

const productsPerBusiness = 1_000;
const businessesPerStatement = 10;
const connections = 16;
const warmUpSeconds = 0.7;

type BusinessKeys = Readonly<{ id: string; publishableKey: string }>;

/** A request to a product list, of which no response is in the cache. */
type ListRequest = Readonly<{ name: string; query: string }>;

const listRequests: readonly ListRequest[] = [
  { name: "businesses: product list, cold", query: "limit=20" },
  { name: "businesses: search, all hit, cold", query: "limit=20&search=cotton" },
];

export const manyBusinessesRowNames: readonly string[] = listRequests.map(({ name }) => name);

type ManyOptions = Pick<BenchOptions, "rounds" | "secondsPerRound" | "businesses">;

/**
 * Compares visits of one business with visits of many at random. All have 1,000 products in two
 * shards, and all were visited once before, which is measured by itself: a first visit creates the
 * objects that count the visitor's requests. Caches of an isolate have limits, so its memory must
 * not grow with the number of visited businesses.
 */
export async function measureManyBusinesses(
  runtime: BenchRuntime,
  options: ManyOptions,
): Promise<{ table: string; results: BenchResult[] }> {
  const businesses = await runInParallel(options.businesses, () =>
    createBusinessWithProduct(runtime.origin),
  );
  await insertProducts(runtime, businesses);
  const first = await visitEachOnce(runtime, businesses);
  const pairs: (readonly [BenchResult, BenchResult])[] = [];
  for (const list of listRequests)
    pairs.push(await measurePair(runtime, options, { list, businesses }));
  const results = [first, ...pairs.flat()];
  const timesOne = new Map(pairs.map(([one, many]) => [many.name, ratioOf(many, one)]));
  const table = formatRateTable(`${productsPerBusiness} products each`, results, [
    { head: "times one", cell: ({ name }) => timesOne.get(name) ?? "" },
    { head: "MB before", cell: ({ memoryMb }) => memoryMb?.before.toFixed(0) ?? "" },
    { head: "MB max", cell: ({ memoryMb }) => memoryMb?.max.toFixed(0) ?? "" },
  ]);
  return { table, results };
}

const ratioOf = (many: BenchResult, one: BenchResult): string =>
  ((p50Of(many)?.median ?? Number.NaN) / (p50Of(one)?.median ?? Number.NaN)).toFixed(2);

type ListVisits = Readonly<{ list: ListRequest; businesses: readonly BusinessKeys[] }>;

/** Measures a list of one business and of all at random, in rounds that alternate. */
async function measurePair(
  runtime: BenchRuntime,
  { rounds, secondsPerRound }: ManyOptions,
  { list, businesses }: ListVisits,
): Promise<readonly [BenchResult, BenchResult]> {
  const before = memoryMbOf(runtime.processIds());
  const parts = [businesses.slice(0, 1), businesses].map((visited) => {
    const measurements: Measurement[] = [];
    return { visited, measurements, max: 0 };
  });
  for (let round = 0; round < rounds; round += 1) {
    for (const part of inTurn(parts, round)) {
      part.measurements.push(await visit(runtime, list, { ...part, secondsPerRound }));
      part.max = Math.max(part.max, memoryMbOf(runtime.processIds()));
    }
  }
  const [one, many] = parts.map(({ visited, max, measurements }) => ({
    ...resultOf(`${list.name}, of ${visited.length}`, measurements),
    memoryMb: { before, max },
  }));
  if (!one || !many) throw new Error("Both parts are measured.");
  return [one, many];
}

async function createBusinessWithProduct(origin: URL): Promise<BusinessKeys> {
  const { id, merchant, publishableKey } = await createBusiness(origin);
  await merchant.post("/products", { name: "First", default_price: "10.00" });
  return { id, publishableKey };
}

let requestCount = 0;

/** Reads a product list that no cache has. */
function readList(visitor: Visitor, business: BusinessKeys | undefined, query: string) {
  requestCount += 1;
  return visitor.send({
    path: `/api/v1/catalogue/products?${query}&unseen=${requestCount}`,
    headers: { "X-Public-Key": business?.publishableKey ?? "" },
  });
}

/** Visits each business once, on 16 connections, and measures that. */
async function visitEachOnce(
  { origin }: BenchRuntime,
  businesses: readonly BusinessKeys[],
): Promise<BenchResult> {
  const visitors = Array.from({ length: connections }, () => createVisitor(origin, {}));
  const milliseconds: number[] = [];
  const unvisited = [...businesses];
  const started = performance.now();
  await Promise.all(
    visitors.map(async (visitor) => {
      for (let next = unvisited.pop(); next; next = unvisited.pop()) {
        const before = performance.now();
        await readList(visitor, next, "limit=20");
        milliseconds.push(performance.now() - before);
      }
      visitor.disconnect();
    }),
  );
  const measurement: Measurement = {
    units: milliseconds.length,
    seconds: (performance.now() - started) / 1_000,
    milliseconds,
    errors: [],
    maxRoundTrips: { d1: 0, do: 0 },
    longestResponse: 0,
  };
  return resultOf(`businesses: product list, first visit of ${businesses.length}`, [measurement]);
}

/** Sends the request to a random business each time, on 16 connections. */
async function visit(
  { origin }: BenchRuntime,
  { query }: ListRequest,
  {
    visited,
    secondsPerRound,
  }: Readonly<{ visited: readonly BusinessKeys[]; secondsPerRound: number }>,
): Promise<Measurement> {
  const visitors = Array.from({ length: connections }, () => createVisitor(origin, {}));
  const units = visitors.map(
    (visitor) => () =>
      readList(visitor, visited[Math.floor(Math.random() * visited.length)], query),
  );
  try {
    await runLoad(visitors, units, warmUpSeconds);
    return await runLoad(visitors, units, secondsPerRound);
  } finally {
    for (const visitor of visitors) visitor.disconnect();
  }
}

/** Inserts products directly into the shards, because importing a million takes many minutes. */
async function insertProducts(
  runtime: BenchRuntime,
  businesses: readonly BusinessKeys[],
): Promise<void> {
  const description = "Heavy cotton, cut straight, better after the tenth wash. ".repeat(4).trim();
  for (const database of await runtime.shopDatabases()) {
    for (let from = 0; from < businesses.length; from += businessesPerStatement) {
      const ids = businesses.slice(from, from + businessesPerStatement).map(({ id }) => id);
      await database
        .prepare(insertNumberedProducts)
        .bind(JSON.stringify(ids), productsPerBusiness, description)
        .run();
    }
  }
}

/** Copies the first product of each business that the shard has. */
const insertNumberedProducts = `
  insert into products (id, business_id, name, slug, description, default_price_minor, product_type,
    inventory_type, is_active, is_featured, tags, properties, images, variant_axes, add_ons,
    created_at, updated_at)
  with recursive number (value) as (select 1 union all select value + 1 from number where value < ?2 - 1)
  select 'prod_' || substr(business_id, 5) || printf('%06d', number.value), business_id,
    'Garment ' || printf('%06d', number.value), 'garment-' || number.value, ?3,
    1050 + number.value % 90 * 100, product_type, inventory_type, 1, 0,
    json_array('cotton', iif(number.value % 2, 'winter', 'summer')), '{}', '[]', '[]', '[]',
    created_at + number.value, updated_at
  from products cross join number
  where business_id in (select value from json_each(?1)) and products.slug = 'first'`;
