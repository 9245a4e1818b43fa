import { askProvider, type Reach, second } from "../kernel/index.ts";

/** A shopper waits for the answer. */
const timeoutMs = 4 * second;

/** A provider's answer whose every number is its text; `json` is undefined where it is none. */
type RatesAnswer = Readonly<{ status: number; json: unknown }>;

/** Asks for JSON; null when no answer came, or one longer than several full tables of currencies. */
export async function askForRates(reach: Reach, url: string): Promise<RatesAnswer | null> {
  const headers = { Accept: "application/json" };
  const answer = await askProvider({ timeoutMs, ...reach }, url, { headers });
  if (answer.type === "no_answer" || answer.text === null) return null;
  return { status: answer.status, json: numbersAsText(answer.text) };
}

type SourceReviver = (key: string, value: unknown, context: { source?: string }) => unknown;

// Safe: ES2026 hands a reviver the text of each primitive; the library's types know two arguments.
const parse = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/** Numbers stay as they were written: as floating point a rate might already be another. */
function numbersAsText(text: string): unknown {
  try {
    return parse(text, (_key, value, { source }) => (typeof value === "number" ? source : value));
  } catch {
    return undefined; // not JSON; the schema of the answer refuses it
  }
}
