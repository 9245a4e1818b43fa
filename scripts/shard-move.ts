// Moves a business to another shard (docs/scale.md). Each API call moves a part of the data, so the
// script repeats the call until the move is complete. The script may be stopped and started again.
import { parseArgs } from "node:util";
import { createOperator, DukaError } from "../sdk/src/index.ts";

const usage = "OPERATOR_TOKEN=… npm run shard:move -- biz_… SHOP_2 [--url https://…]";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: "string", default: `http://localhost:${process.env.PORT ?? 8787}` } },
});
/**
 * How often one call is repeated when the service is unavailable or another script moves the
 * business: for about eight minutes.
 */
const retries = 60;

/** Moves the business. Returns 0 when the move is complete, or was cancelled and undone. */
async function main(): Promise<number> {
  const [business, shard] = positionals;
  const operatorToken = process.env.OPERATOR_TOKEN;
  if (!business || !shard || !operatorToken) return fail(usage);
  const { businesses } = createOperator({ baseUrl: options.url, operatorToken, retries });
  for (let lastLine = ""; ; ) {
    const { data: move } = await businesses.move(business, { shard });
    const line = `${move.phase}: ${move.rows_copied} rows copied`;
    if (line !== lastLine) console.log(line);
    lastLine = line;
    if (move.is_over) return 0;
    if (move.retry_after_ms > 0) await sleep(move.retry_after_ms);
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function fail(message: string): number {
  console.error(message);
  return 1;
}

process.exitCode = await main().catch((error: unknown) => {
  if (error instanceof DukaError) return fail(error.message);
  throw error;
});
