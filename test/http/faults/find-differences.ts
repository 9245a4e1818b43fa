import type { ApiResponse } from "../../support/world.ts";
import type { FuzzedRequest } from "../fuzz/requests.ts";
import { listOperations, type Operation } from "../operations.ts";
import { forbiddenDifferences } from "./allowed-differences.ts";
import { advanceClock, type FaultWorld, type ShopState } from "./create-fault-world.ts";
import type { Effects, Fault } from "./effects.ts";
import { preparingOperations, requestsFor } from "./requests.ts";
import { isCommonToAllCalls, isIdempotencyWrite, isWrite } from "./select-faults.ts";
import { findStateChanges, maskedResponse } from "./state-changes.ts";

const takesKey = ({ parameters }: Operation): boolean =>
  parameters.some(({ name, in: location }) => location === "header" && name === "Idempotency-Key");

const isSuccess = ({ status }: ApiResponse): boolean => status < 300;
const isRetryable = ({ body }: ApiResponse): boolean =>
  Object(Object(body).error).retryable === true;

/** A successful call without a fault: its effects, response and changes. */
export type FaultlessCall = Readonly<{
  from: ShopState;
  request: FuzzedRequest;
  key: string | null;
  effects: Effects;
  maskedResponse: string;
  changes: readonly string[];
}>;

/** Sends the operation's requests without a fault until one succeeds. */
export async function callWithoutFault(
  world: FaultWorld,
  operation: Operation,
  from: ShopState,
): Promise<FaultlessCall> {
  const key = takesKey(operation) ? "key" : null;
  const refused: string[] = [];
  for (const request of requestsFor(operation)) {
    const { answer, effects } = await world.ask(operation, request, { key });
    await world.settle(operation);
    const after = await world.readState(from);
    const faultless = { from, request, key, effects, maskedResponse: maskedResponse(answer, from) };
    const changes = await findStateChanges(from, after);
    await world.restore(from, after);
    if (isSuccess(answer)) return { ...faultless, changes };
    refused.push(faultless.maskedResponse);
  }
  throw new Error(`${operation.id} has no success: ${refused.join("; ")}`);
}

/** Lists how a call with a fault, and its repeat, differ from the call without. */
export async function findDifferences(
  world: FaultWorld,
  operation: Operation,
  faultless: FaultlessCall,
  fault: Fault,
): Promise<readonly string[]> {
  const { from, request, key } = faultless;
  const { answer: first } = await world.ask(operation, request, { key, fault });
  const answers = [first];
  // A client does not repeat a success.
  for (let tries = 0; tries < maxRetries && !isSuccess(first); tries += 1) {
    const { answer } = await world.ask(operation, request, { key });
    answers.push(answer);
    if (!isRetryable(answer)) break;
    advanceClock(61_000); // the lease of a run that counts as running
  }
  if (answers.at(-1)?.status === 401) {
    const answer = await repeatWithNewCode(world, operation, request);
    if (answer) answers.push(answer);
  }
  await world.settle(operation);
  const now = await world.readState(from);
  const changes = await findStateChanges(from, now);
  await world.restore(from, now);
  const last = answers.at(-1) ?? first;
  const isDone = confirmsExecution(last);
  const isKept = (line: string) => !isDone || !line.startsWith("+ idempotency_keys ");
  return forbiddenDifferences(operation, [
    ...findRefusalFaults(first),
    ...(isDone || maskedResponse(last, from) === faultless.maskedResponse
      ? []
      : [`answered ${answers.map((one) => maskedResponse(one, from)).join(", then ")}`]),
    ...missingFrom(changes, faultless.changes)
      .filter(isKept)
      .map((line) => `too much: ${line}`),
    ...missingFrom(faultless.changes, changes)
      .filter(isKept)
      .map((line) => `missing: ${line}`),
  ]);
}

const maxRetries = 4;

/** A code works once, so a caller that lost the response requests another code and sends it. */
async function repeatWithNewCode(
  world: FaultWorld,
  operation: Operation,
  request: FuzzedRequest,
): Promise<ApiResponse | null> {
  const preparing = preparingOperations.get(operation.id);
  const other = (await listOperations()).find(({ id }) => id === preparing);
  const [codeRequest] = other?.path.endsWith("/request-otp") ? requestsFor(other) : [];
  if (!other || !codeRequest) return null;
  advanceClock(61_000); // another code is sent after a minute
  await world.ask(other, codeRequest, { key: null });
  return (await world.ask(operation, request, { key: null })).answer;
}

/** The lines of the first list that the second lacks, counting repetitions. */
function missingFrom(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Personal data and internal details that no error may reveal. */
const sensitiveText =
  /\+2332|ama@|Ama\b|12 Ring|SQLITE|D1_ERROR|TypeError|\.ts:\d|Network connection/;

function findRefusalFaults(answer: ApiResponse): string[] {
  if (isSuccess(answer)) return [];
  const { success, error } = Object(answer.body);
  const text = `${answer.status} ${JSON.stringify(answer.body)}`;
  if (success !== false || error?.code !== "SERVICE_UNAVAILABLE" || error.retryable !== true)
    return [`failed with ${text}`];
  return answer.status !== 503 || sensitiveText.test(text) ? [`failed with ${text}`] : [];
}

/** Whether the response says that the call was carried out although its response is lost. */
const confirmsExecution = ({ status, body }: ApiResponse): boolean =>
  status === 409 && /was carried out/.test(Object(Object(body).error).message);

/** Rows that every call writes, and object answers. */
const linesOfEveryCall =
  /^. (?:object answers|audit_entries|catalogue_versions|idempotency_keys|stock_movements) /;

/** Lists the differences after a call without a key is repeated because its response was lost. */
export async function findDifferencesWithoutKey(
  world: FaultWorld,
  operation: Operation,
  faultless: FaultlessCall,
): Promise<readonly string[]> {
  const { from, request } = faultless;
  const effects = faultless.effects.filter((effect) => !isIdempotencyWrite(effect));
  const last = effects.findLastIndex((effect) => isWrite(effect) && !isCommonToAllCalls(effect));
  const fault: Fault = { at: last + 1, when: "after it ran" };
  await world.ask(operation, request, { key: null, fault });
  const { answer } = await world.ask(operation, request, { key: null });
  await world.settle(operation);
  const now = await world.readState(from);
  const changes = await findStateChanges(from, now);
  await world.restore(from, now);
  const own = (lines: readonly string[]) =>
    lines
      .filter((line) => !linesOfEveryCall.test(line))
      .map((line) => line.replace(/"request_key":(?:null|"[^"]*")/, '"request_key":any'));
  return forbiddenDifferences(operation, [
    ...(answer.status < 500 ? [] : [`repeated without a key: ${maskedResponse(answer, from)}`]),
    ...missingFrom(own(changes), own(faultless.changes)).map(
      (line) => `too much without a key: ${line}`,
    ),
    ...missingFrom(own(faultless.changes), own(changes)).map(
      (line) => `missing without a key: ${line}`,
    ),
  ]);
}
