import { type Measurement, runLoad, type WorkUnit } from "./load.ts";
import type { BenchOptions } from "./options.ts";
import { type BenchResult, inTurn, resultOf } from "./results.ts";
import type { BenchRow } from "./rows.ts";
import { addressHeaders, createVisitor, type Visitor } from "./visitor.ts";

const connections = 16;
const firstWarmUpSeconds = 0.7;
/** Later rounds reconnect and load the objects that were evicted meanwhile. */
const warmUpSeconds = 0.2;

type PreparedRow = Readonly<{
  row: BenchRow;
  visitors: readonly Visitor[];
  units: readonly WorkUnit[];
}>;

type RoundOptions = Pick<BenchOptions, "rounds" | "secondsPerRound">;

/**
 * Measures all rows. Cached reads come first, because cold reads evict the cache. Writes come last,
 * because workerd takes a while to evict the Durable Objects that writes create.
 */
export async function measureRows(
  origin: URL,
  rows: readonly BenchRow[],
  options: RoundOptions,
): Promise<BenchResult[]> {
  const phases = [["trivial", "read"], ["cold"], ["write"]];
  const results: BenchResult[] = [];
  for (const kinds of phases) {
    const chosen = rows.filter(({ kind }) => kinds.includes(kind));
    results.push(...(await measurePhase(origin, chosen, options)));
  }
  return results;
}

/** Measures every row once in each round, so that a slow moment of the machine hits all of them. */
async function measurePhase(
  origin: URL,
  rows: readonly BenchRow[],
  { rounds, secondsPerRound }: RoundOptions,
): Promise<BenchResult[]> {
  const preparedRows: PreparedRow[] = [];
  for (const row of rows) preparedRows.push(await prepareRow(row, origin));
  const measurements = new Map<BenchRow, Measurement[]>(rows.map((row) => [row, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { row, visitors, units } of inTurn(preparedRows, round)) {
      await runLoad(visitors, units, round === 0 ? firstWarmUpSeconds : warmUpSeconds);
      measurements.get(row)?.push(await runLoad(visitors, units, secondsPerRound));
    }
  }
  for (const { visitors } of preparedRows) for (const visitor of visitors) visitor.disconnect();
  return rows.map((row) => ({
    ...resultOf(row.name, measurements.get(row) ?? []),
    ...(row.peers && { peers: row.peers }),
    ...(row.scale && { scale: row.scale }),
  }));
}

async function prepareRow(row: BenchRow, origin: URL): Promise<PreparedRow> {
  // Each connection has a network of its own, because the unpaid orders of one are counted.
  const visitors = Array.from({ length: connections }, (_, index) =>
    createVisitor(row.origin ?? origin, {
      ...{ "X-Public-Key": row.publishableKey },
      ...addressHeaders(`198.51.100.${index + 1}`),
    }),
  );
  const units = await Promise.all(visitors.map((visitor) => row.work(visitor)));
  return { row, visitors, units };
}
