import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import worker from "../../support/worker.ts";
import type { CallOptions } from "../../support/world.ts";

/** The fault of one effect of a call: its request or its response is lost. */
export type Fault = Readonly<{
  /** The number of the effect, starting at 1. */
  at: number;
  when: "before it ran" | "after it ran";
}>;

type EffectRecorder = { readonly fault: Fault | null; readonly seen: string[] };

/** The calls to databases, objects, R2 and queues, in order. */
export type Effects = readonly string[];

let recorder: EffectRecorder | null = null;

/**
 * A Worker that records its effects, those of its objects and of the work after the response
 * included, and makes one of them fail.
 */
export function createFaultyWorker(fault: Fault | null): Readonly<{
  by: NonNullable<CallOptions["fetch"]>;
  effects: Effects;
}> {
  const watching: EffectRecorder = { fault, seen: [] };
  return {
    effects: watching.seen,
    async by(request) {
      recorder = watching;
      try {
        const ctx = createExecutionContext();
        const response = await worker.fetch(request, env, ctx);
        const text = await response.clone().text(); // reads a streamed body to its end
        await waitOnExecutionContext(ctx);
        return new Response(text === "" ? null : text, response);
      } finally {
        recorder = null;
      }
    },
  };
}

/** Written tables, and whether objects and files were used. */
export type TouchedStores = Readonly<{
  tables: ReadonlySet<string>;
  objects: boolean;
  files: boolean;
}>;

const writtenTables = new Set<string>();
const touched = { objects: false, files: false };

/** Returns what was used since the last call of this function. */
export function takeTouchedStores(): TouchedStores {
  const since = { tables: new Set(writtenTables), ...touched };
  writtenTables.clear();
  Object.assign(touched, { objects: false, files: false });
  return since;
}

const writtenTable = /\b(?:insert(?: or \w+)? into|update|delete from)\s+"?(\w+)"?/gi;

function recordWrittenTables(statements: unknown): void {
  for (const text of sqlTexts(statements))
    for (const [, table] of text.matchAll(writtenTable))
      for (const written of [table, ...(cascades.get(table ?? "") ?? [])])
        if (written !== undefined) writtenTables.add(written);
}

/** The tables from which the database deletes rows with those of another table. */
const cascades: ReadonlyMap<string, readonly string[]> = new Map([
  ["users", ["members", "console_sessions", "passkeys", "passkey_challenges"]],
]);

/** The time of last use is written after some responses. */
const isLastUseUpdate = (name: string): boolean =>
  /^D1 update "(?:(?:api_keys|link_sessions)" set "last_used_at"|console_sessions")/.test(name);

async function recordEffect<T>(name: string, ask: () => Promise<T>): Promise<T> {
  if (recorder === null || isLastUseUpdate(name)) return ask();
  const { fault, seen } = recorder;
  seen.push(name);
  if (seen.length !== fault?.at) return ask();
  if (fault.when === "after it ran") await ask();
  throw Object.assign(new Error(`${name}: Network connection lost.`), { retryable: true });
}

type AsyncMethod = (...args: unknown[]) => Promise<unknown>;

/** Records all calls that leave a Worker or an object, until `stopRecordingEffects`. */
export function startRecordingEffects(): void {
  recordMethod(env.SHOP_1.withSession(), "_sendOrThrow", (_, statements) => {
    recordWrittenTables(statements);
    return `D1 ${sqlSummary(statements)}`;
  });
  for (const method of ["head", "get", "put", "delete", "list"])
    recordMethod(env.FILES, method, () => {
      touched.files = true;
      return `R2 ${method}`;
    });
  recordMethod(env.MESSAGES, "send", () => "queue of announcements");
  recordObjectCalls();
  skipRetryDelays();
}

export const stopRecordingEffects = (): void => void vi.restoreAllMocks();

function recordMethod(
  one: object,
  method: string,
  nameOf: (...args: readonly unknown[]) => string,
): void {
  const prototype = prototypeWith(one, method);
  const original = prototype[method];
  if (original === undefined)
    throw new Error(`There is no ${method}: record the method that replaced it.`);
  vi.spyOn(prototype, method).mockImplementation(function (this: unknown, ...args) {
    return recordEffect(nameOf(...args), () => original.apply(this, args));
  });
}

/** The prototype of the runtime's class that has the method. */
function prototypeWith(one: object, method: string): Record<string, AsyncMethod> {
  let prototype: object | null = one;
  while (prototype !== null && !Object.hasOwn(prototype, method))
    prototype = Object.getPrototypeOf(prototype);
  return (prototype ?? {}) as Record<string, AsyncMethod>; // safe: only that method is used
}

/** The rate limiter has its own test; requests pass without it. */
const unrecordedMethods: readonly PropertyKey[] = ["lease"];

function recordObjectCalls(): void {
  const prototype = prototypeWith(env.CART_SESSION, "getByName") as unknown as {
    getByName(name: string): object;
  }; // safe: as above
  const { getByName } = prototype;
  vi.spyOn(prototype, "getByName").mockImplementation(function (this: unknown, name) {
    const stub = getByName.call(this, name);
    touched.objects ||= recorder !== null;
    return recorder === null ? stub : recordedStub(stub);
  });
}

const recordedStub = (stub: object): object =>
  new Proxy(stub, {
    get(target, method) {
      const member: unknown = Reflect.get(target, method);
      if (typeof member !== "function") return member;
      const ask = (...args: unknown[]) => Reflect.apply(member, target, args);
      if (unrecordedMethods.includes(method)) return ask;
      return (...args: unknown[]) =>
        recordEffect(`object ${String(method)}${method === "run" ? `.${args[1]}` : ""}`, async () =>
          ask(...args),
        );
    },
  });

/** Retries without delay. */
function skipRetryDelays(): void {
  const wait = scheduler.wait.bind(scheduler);
  vi.spyOn(scheduler, "wait").mockImplementation(() => wait(0));
}

type Statement = Readonly<{ sql: string }> | string;

const sqlTexts = (sent: unknown): string[] => {
  const statements = [sent].flat() as Statement[]; // safe: D1's client sends these
  return statements.map((one) => (typeof one === "string" ? one : one.sql));
};

const sqlSummary = (statements: unknown): string =>
  sqlTexts(statements)
    .map((text) => text.replaceAll(/\s+/g, " ").slice(0, 40))
    .join("; ")
    .slice(0, 200);
