// Wraps the data keys of all businesses again with the newest key of CREDENTIALS_KEY
// (docs/payments.md#rotate-the-credentials-key). It may be stopped and started again.
import { parseArgs } from "node:util";
import { createOperator, DukaError } from "../sdk/src/index.ts";

const usage = "OPERATOR_TOKEN=… npm run credentials:rotate -- [--url https://…]";

const { values: options } = parseArgs({
  options: { url: { type: "string", default: `http://localhost:${process.env.PORT ?? 8787}` } },
});
const retries = 10;

/** Returns 0 when the newest key wraps every data key. */
async function main(): Promise<number> {
  const operatorToken = process.env.OPERATOR_TOKEN;
  if (!operatorToken) return fail(usage);
  const { businesses } = createOperator({ baseUrl: options.url, operatorToken, retries });
  const failed: string[] = [];
  let rewrapped = 0;
  for (let after: string | null = null; ; ) {
    const { data: step } = await businesses.rotateCredentials({ after });
    rewrapped += step.rewrapped;
    failed.push(...step.failed);
    const left = step.remaining.reduce((sum, { businesses }) => sum + businesses, 0);
    console.log(`${step.key_id}: ${rewrapped} data keys wrapped, ${left} left`);
    if (step.next === null) return report(step.remaining, failed);
    after = step.next;
  }
}

type Remaining = readonly Readonly<{ key_id: string; businesses: number; is_known: boolean }>[];

function report(remaining: Remaining, failed: readonly string[]): number {
  for (const { key_id, businesses, is_known } of remaining) {
    const advice = is_known ? "run this command again" : "CREDENTIALS_KEY lacks that key";
    console.error(`${businesses} data keys are still wrapped with ${key_id}: ${advice}.`);
  }
  if (failed.length > 0) console.error(`These data keys do not open: ${failed.join(", ")}`);
  return remaining.length === 0 ? 0 : 1;
}

function fail(message: string): number {
  console.error(message);
  return 1;
}

process.exitCode = await main().catch((error: unknown) => {
  if (error instanceof DukaError) return fail(error.message);
  throw error;
});
