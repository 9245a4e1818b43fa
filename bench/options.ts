import { parseArgs } from "node:util";

export type BenchOptions = Readonly<{
  rounds: number;
  /** Seconds that a row is measured in one round. */
  secondsPerRound: number;
  /** The sizes of the imported shops. */
  productCounts: readonly number[];
  conversations: number;
  events: number;
  /** How many businesses are visited at random. */
  businesses: number;
  /** Whether `npm run serve` is measured instead of workerd alone. */
  isServed: boolean;
  /** Whether customers get messages about their orders. */
  sendsMessages: boolean;
  /** Only rows whose names contain one of these texts are measured; all rows when it is empty. */
  rows: readonly string[];
  jsonPath: string | undefined;
  comparePath: string | undefined;
}>;

export const usage = `npm run bench -- [options] measures the built Workers in workerd over 16 loopback connections.

  --rows text      measures only the rows whose names contain the text, for example "whole sale",
                   "chat", "uploads" or "webhooks"; may be repeated
  --rounds n       rounds in which every row is measured (5)
  --seconds n      seconds for each row, over all rounds (3; BENCH_SECONDS)
  --products n     products of the large imported shop (50000; BENCH_PRODUCTS)
  --json file      writes all results with machine, date and commit
  --compare file   prints the change since a file that --json wrote
  --serve          measures npm run serve instead of workerd alone (BENCH_TARGET=serve)
  --messages       sends the messages about orders, to the log; not with --serve
  --help           prints this text

BENCH_CONVERSATIONS (1000), BENCH_EVENTS (500) and BENCH_BUSINESSES (20) set the sizes of the chat,
of the webhooks and of the visits of many businesses.
Exits with 1 after a response that is not 2xx.`;

/**
 * Reads the options of the command line, or returns null when it asks for help.
 *
 * @throws when an option is unknown or a number is not positive.
 */
export function parseOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): BenchOptions | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: "string", multiple: true },
      rounds: { type: "string" },
      seconds: { type: "string" },
      products: { type: "string" },
      json: { type: "string" },
      compare: { type: "string" },
      serve: { type: "boolean" },
      messages: { type: "boolean" },
      help: { type: "boolean" },
    },
  });
  if (values.help === true) return null;
  const isServed = values.serve ?? env.BENCH_TARGET === "serve";
  const sendsMessages = values.messages ?? false;
  if (isServed && sendsMessages) throw new Error("--messages cannot be used with --serve.");
  const rounds = parseCount("--rounds", values.rounds ?? "5");
  const seconds = parsePositive("--seconds", values.seconds ?? env.BENCH_SECONDS ?? "3");
  const products = parseCount("--products", values.products ?? env.BENCH_PRODUCTS ?? "50000");
  return {
    rounds,
    secondsPerRound: seconds / rounds,
    productCounts: [...new Set([1_000, products])],
    conversations: parseCount("BENCH_CONVERSATIONS", env.BENCH_CONVERSATIONS ?? "1000"),
    events: parseCount("BENCH_EVENTS", env.BENCH_EVENTS ?? "500"),
    businesses: parseCount("BENCH_BUSINESSES", env.BENCH_BUSINESSES ?? "20"),
    ...{ isServed, sendsMessages },
    rows: values.rows ?? [],
    jsonPath: values.json,
    comparePath: values.compare,
  };
}

/** Whether a row is measured. */
export const isSelected = (name: string, { rows }: Pick<BenchOptions, "rows">): boolean =>
  rows.length === 0 || rows.some((text) => name.includes(text));

function parsePositive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} must be a positive number, not ${text}.`);
  return value;
}

function parseCount(name: string, text: string): number {
  const value = parsePositive(name, text);
  if (!Number.isInteger(value)) throw new Error(`${name} must be a whole number, not ${text}.`);
  return value;
}
