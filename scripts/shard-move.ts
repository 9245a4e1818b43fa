// Moves a business to another shard (docs/scale.md). Each API call moves a part of the data, so the
// script repeats the call until the move is complete. The script may be stopped and started again.
import { parseArgs } from "node:util";
import { type MoveResponse, parseMoveResponse } from "./shard-move/response.ts";

const usage = "OPERATOR_TOKEN=… npm run shard:move -- biz_… SHOP_2 [--url https://…]";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: "string", default: `http://localhost:${process.env.PORT ?? 8787}` } },
});
/**
 * How often one call is retried when the service is unavailable or another script moves the
 * business.
 */
const maxRetries = 60;
const retryDelayMs = 1_000;

/** Moves the business. Returns 0 when the move is complete, or was cancelled and undone. */
async function main(): Promise<number> {
  const [business, shard] = positionals;
  const token = process.env.OPERATOR_TOKEN;
  if (!business || !shard || !token) return fail(usage);
  let retries = 0;
  for (let lastLine = ""; ; ) {
    const response = await requestMove({ business, shard, token });
    if (response.type === "refused") {
      if (!response.isRetryable || retries >= maxRetries) return fail(response.message);
      retries += 1;
      await sleep(retryDelayMs);
      continue;
    }
    retries = 0;
    const line = `${response.phase}: ${response.rowsCopied} rows copied`;
    if (line !== lastLine) console.log(line);
    lastLine = line;
    if (response.isComplete) return 0;
    if (response.retryAfterMs > 0) await sleep(response.retryAfterMs);
  }
}

async function requestMove({
  business,
  shard,
  token,
}: Readonly<Record<"business" | "shard" | "token", string>>): Promise<MoveResponse> {
  const response = await fetch(`${options.url}/v1/businesses/${business}/move`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ shard }),
  }).catch(() => null);
  if (response === null)
    return { type: "refused", isRetryable: true, message: `No response from ${options.url}.` };
  return parseMoveResponse(response.status, await response.text());
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function fail(message: string): number {
  console.error(message);
  return 1;
}

process.exitCode = await main();
