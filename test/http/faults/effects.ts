import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import worker from "../../support/worker.ts";
import type { CallOptions } from "../../support/world.ts";

/** What goes wrong with one effect of a call: it is lost on its way, or its answer is. */
export type Fault = Readonly<{
  /** The effect that goes wrong, from 1 on. */
  at: number;
  when: "before it ran" | "after it ran";
}>;

type Watch = { readonly fault: Fault | null; readonly seen: string[] };

/** What a call reaches: databases, objects, bytes and queues, in the order in which it did. */
export type Effects = readonly string[];

let watch: Watch | null = null;

/**
 * A Worker whose effects are counted, those of the objects that it asks and what it does behind its answer
 * among them, and one of which goes wrong.
 */
export function workerWith(fault: Fault | null): Readonly<{
  by: NonNullable<CallOptions["by"]>;
  effects: Effects;
}> {
  const watching: Watch = { fault, seen: [] };
  return {
    effects: watching.seen,
    async by(request) {
      watch = watching;
      try {
        const ctx = createExecutionContext();
        const response = await worker.fetch(request, env, ctx);
        const text = await response.clone().text(); // a streamed one is read to its end
        await waitOnExecutionContext(ctx);
        return new Response(text === "" ? null : text, response);
      } finally {
        watch = null;
      }
    },
  };
}

/** What may have changed: tables that somebody wrote to, and whether objects and files were reached. */
export type Reached = Readonly<{ tables: ReadonlySet<string>; objects: boolean; files: boolean }>;

const written = new Set<string>();
const reached = { objects: false, files: false };

/** What was reached since this was asked last. */
export function reachedSince(): Reached {
  const since = { tables: new Set(written), ...reached };
  written.clear();
  Object.assign(reached, { objects: false, files: false });
  return since;
}

const writing = /\b(?:insert(?: or \w+)? into|update|delete from)\s+"?(\w+)"?/gi;

function noteWritten(asked: unknown): void {
  for (const text of textsOf(asked))
    for (const [, table] of text.matchAll(writing)) if (table !== undefined) written.add(table);
}

/** When a key or a login was last used is noted now and then, behind whatever is answered. */
const isPassing = (name: string): boolean =>
  /^D1 update "(?:api_keys|link_sessions)" set "last_used_at"/.test(name);

async function passed<T>(name: string, ask: () => Promise<T>): Promise<T> {
  if (watch === null || isPassing(name)) return ask();
  const { fault, seen } = watch;
  seen.push(name);
  if (seen.length !== fault?.at) return ask();
  if (fault.when === "after it ran") await ask();
  throw Object.assign(new Error(`${name}: Network connection lost.`), { retryable: true });
}

type Method = (...args: unknown[]) => Promise<unknown>;

/** Every way out of a Worker or an object leads past here, until `restoreWays`. */
export function watchWays(): void {
  watchMethod(env.SHOP_1.withSession(), "_sendOrThrow", (_, asked) => {
    noteWritten(asked);
    return `D1 ${textOf(asked)}`;
  });
  for (const method of ["head", "get", "put", "delete", "list"])
    watchMethod(env.FILES, method, () => {
      reached.files = true;
      return `R2 ${method}`;
    });
  watchMethod(env.MESSAGES, "send", (body) =>
    "sealed" in Object(body) ? "queue of messages" : "queue of announcements",
  );
  watchObjects();
  waitsAreShort();
}

export const restoreWays = (): void => void vi.restoreAllMocks();

function watchMethod(
  one: object,
  method: string,
  nameOf: (...args: readonly unknown[]) => string,
): void {
  const prototype = ownerOf(one, method);
  const original = prototype[method];
  if (original === undefined) throw new Error(`There is no ${method}: watch what took its place.`);
  vi.spyOn(prototype, method).mockImplementation(function (this: unknown, ...args) {
    return passed(nameOf(...args), () => original.apply(this, args));
  });
}

/** Where the runtime's own class has the method. */
function ownerOf(one: object, method: string): Record<string, Method> {
  let prototype: object | null = one;
  while (prototype !== null && !Object.hasOwn(prototype, method))
    prototype = Object.getPrototypeOf(prototype);
  return (prototype ?? {}) as Record<string, Method>; // safe: asked for that method alone
}

/** The limiter has a test of its own: without it traffic passes. */
const unwatched: readonly PropertyKey[] = ["lease"];

function watchObjects(): void {
  const prototype = ownerOf(env.CART_SESSION, "getByName") as unknown as {
    getByName(name: string): object;
  }; // safe: as above
  const { getByName } = prototype;
  vi.spyOn(prototype, "getByName").mockImplementation(function (this: unknown, name) {
    const stub = getByName.call(this, name);
    reached.objects ||= watch !== null;
    return watch === null ? stub : watchedStub(stub);
  });
}

const watchedStub = (stub: object): object =>
  new Proxy(stub, {
    get(target, method) {
      const member: unknown = Reflect.get(target, method);
      if (typeof member !== "function") return member;
      const ask = (...args: unknown[]) => Reflect.apply(member, target, args);
      if (unwatched.includes(method)) return ask;
      return (...args: unknown[]) =>
        passed(`object ${String(method)}${method === "serve" ? `.${args[1]}` : ""}`, async () =>
          ask(...args),
        );
    },
  });

/** What is tried again a while later is tried at once. */
function waitsAreShort(): void {
  const wait = scheduler.wait.bind(scheduler);
  vi.spyOn(scheduler, "wait").mockImplementation(() => wait(0));
}

type Statement = Readonly<{ sql: string }> | string;

const textsOf = (asked: unknown): string[] => {
  const statements = [asked].flat() as Statement[]; // safe: what D1's own client sends
  return statements.map((one) => (typeof one === "string" ? one : one.sql));
};

const textOf = (asked: unknown): string =>
  textsOf(asked)
    .map((text) => text.replaceAll(/\s+/g, " ").slice(0, 40))
    .join("; ")
    .slice(0, 200);
