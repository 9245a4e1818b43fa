// Moves a business to another shop database (docs/scale.md). It asks the deployment to go on until the
// move is over; stopped at any point, it is started again with the same words.
import { parseArgs } from "node:util";
import { type MoveAnswer, parseMove } from "./shard-move/answer.ts";

const usage = "OPERATOR_TOKEN=… npm run shard:move -- biz_… SHOP_2 [--url https://…]";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: "string", default: `http://localhost:${process.env.PORT ?? 8787}` } },
});
/** An outage, or another mover at this moment: as long as that may take. */
const mostRetries = 60;
const retryMs = 1_000;

/** 0 when the business is where it was to go, or back where it was. */
async function main(): Promise<number> {
  const [business, shard] = positionals;
  const token = process.env.OPERATOR_TOKEN;
  if (!business || !shard || !token) return fail(usage);
  let retries = 0;
  for (let told = ""; ; ) {
    const answer = await asked({ business, shard, token });
    if (answer.type === "refused") {
      if (!answer.isRetryable || retries >= mostRetries) return fail(answer.message);
      retries += 1;
      await slept(retryMs);
      continue;
    }
    retries = 0;
    const line = `${answer.phase}: ${answer.rowsCopied} rows copied`;
    if (line !== told) console.log(line);
    told = line;
    if (answer.isOver) return 0;
    if (answer.retryAfterMs > 0) await slept(answer.retryAfterMs);
  }
}

async function asked({
  business,
  shard,
  token,
}: Readonly<Record<"business" | "shard" | "token", string>>): Promise<MoveAnswer> {
  const response = await fetch(`${options.url}/v1/businesses/${business}/move`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ shard }),
  }).catch(() => null);
  if (response === null)
    return { type: "refused", isRetryable: true, message: `Nothing answers at ${options.url}.` };
  return parseMove(response.status, await response.text());
}

const slept = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function fail(message: string): number {
  console.error(message);
  return 1;
}

process.exitCode = await main();
