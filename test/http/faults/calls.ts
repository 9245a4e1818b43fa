import type { Answer } from "../../support/world.ts";
import type { FuzzedRequest } from "../fuzz/requests.ts";
import type { Operation } from "../operations.ts";
import type { Effects, Fault } from "./effects.ts";
import { isExcused } from "./excused.ts";
import { requestsFor } from "./requests.ts";
import { changesOf, told } from "./states.ts";
import { isAlike, isOfKey, isWrite } from "./which.ts";
import { goOn, type State, type World } from "./world.ts";

const takesKey = ({ parameters }: Operation): boolean =>
  parameters.some(({ name, in: place }) => place === "header" && name === "Idempotency-Key");

const isSuccess = ({ status }: Answer): boolean => status < 300;
const isForLater = ({ body }: Answer): boolean => Object(Object(body).error).retryable === true;

/** What a call does when nothing fails. */
export type Calm = Readonly<{
  from: State;
  request: FuzzedRequest;
  key: string | null;
  effects: Effects;
  told: string;
  changes: readonly string[];
}>;

/** The first of the operation's requests that succeeds, undisturbed. */
export async function calmOf(world: World, operation: Operation, from: State): Promise<Calm> {
  const key = takesKey(operation) ? "key" : null;
  const refused: string[] = [];
  for (const request of requestsFor(operation)) {
    const { answer, effects } = await world.ask(operation, request, { key });
    await world.settle(operation);
    const after = await world.readState(from);
    const calm = { from, request, key, effects, told: told(answer, from) };
    const changes = await changesOf(from, after);
    await world.restore(from, after);
    if (isSuccess(answer)) return { ...calm, changes };
    refused.push(calm.told);
  }
  throw new Error(`${operation.id} has no success: ${refused.join("; ")}`);
}

/** What is wrong with how a call fails, and with what its repeat comes to. */
export async function complaintsOf(
  world: World,
  operation: Operation,
  calm: Calm,
  fault: Fault,
): Promise<readonly string[]> {
  const { from, request, key } = calm;
  const { answer: first } = await world.ask(operation, request, { key, fault });
  const answers = [first];
  // A success is taken at its word: nobody asks again.
  for (let tries = 0; tries < mostTries && !isSuccess(first); tries += 1) {
    const { answer } = await world.ask(operation, request, { key });
    answers.push(answer);
    if (!isForLater(answer)) break;
    goOn(61_000); // the lease of a run that is taken for alive
  }
  await world.settle(operation);
  const now = await world.readState(from);
  const changes = await changesOf(from, now);
  await world.restore(from, now);
  const last = answers.at(-1) ?? first;
  const isDone = isToldDone(last);
  const isKept = (line: string) => !isDone || !line.startsWith("+ idempotency_keys ");
  return [
    ...faultsOfRefusal(first),
    ...(isDone || told(last, from) === calm.told
      ? []
      : [`answered ${answers.map((one) => told(one, from)).join(", then ")}`]),
    ...without(changes, calm.changes)
      .filter(isKept)
      .map((line) => `too much: ${line}`),
    ...without(calm.changes, changes)
      .filter(isKept)
      .map((line) => `missing: ${line}`),
  ].filter((complaint) => !isExcused(operation, complaint));
}

const mostTries = 4;

/** Each as often as it is there more often than in the other. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Of what no refusal may tell: who the customer is, or how the house is built. */
const untold = /\+2332|ama@|Ama\b|12 Ring|SQLITE|D1_ERROR|TypeError|\.ts:\d|Network connection/;

function faultsOfRefusal(answer: Answer): string[] {
  if (isSuccess(answer)) return [];
  const { success, error } = Object(answer.body);
  const text = `${answer.status} ${JSON.stringify(answer.body)}`;
  if (success !== false || error?.code !== "SERVICE_UNAVAILABLE" || error.retryable !== true)
    return [`failed with ${text}`];
  return answer.status !== 503 || untold.test(text) ? [`failed with ${text}`] : [];
}

/** That it stands, where the answer itself cannot be had any more. */
const isToldDone = ({ status, body }: Answer): boolean =>
  status === 409 && /was carried out/.test(Object(Object(body).error).message);

/** A second call is told of on its own, and outdates what is remembered of the catalogue. */
const ofEachCall =
  /^. (?:object answers|audit_entries|catalogue_versions|idempotency_keys|stock_movements) /;

/** What is wrong where a call without a key is asked again, since its own answer was lost. */
export async function keylessComplaintsOf(
  world: World,
  operation: Operation,
  calm: Calm,
): Promise<readonly string[]> {
  const { from, request } = calm;
  const effects = calm.effects.filter((effect) => !isOfKey(effect));
  const last = effects.findLastIndex((effect) => isWrite(effect) && !isAlike(effect));
  const fault: Fault = { at: last + 1, when: "after it ran" };
  await world.ask(operation, request, { key: null, fault });
  const { answer } = await world.ask(operation, request, { key: null });
  await world.settle(operation);
  const now = await world.readState(from);
  const changes = await changesOf(from, now);
  await world.restore(from, now);
  const own = (lines: readonly string[]) =>
    lines
      .filter((line) => !ofEachCall.test(line))
      .map((line) => line.replace(/"request_key":(?:null|"[^"]*")/, '"request_key":any'));
  return [
    ...(answer.status < 500 ? [] : [`asked again without a key: ${told(answer, from)}`]),
    ...without(own(changes), own(calm.changes)).map((line) => `too much without a key: ${line}`),
    ...without(own(calm.changes), own(changes)).map((line) => `missing without a key: ${line}`),
  ].filter((complaint) => !isExcused(operation, complaint));
}
