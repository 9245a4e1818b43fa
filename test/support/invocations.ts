import { AsyncLocalStorage } from "node:async_hooks";

/** One run of a handler: a request, a batch of messages, a cron trigger, or a call of an object. */
export type Invocation = { readonly name: string; d1Queries: number };

const invocations = new AsyncLocalStorage<Invocation>();

/** The invocation that the code under test runs in; undefined in the test's own code. */
export const currentInvocation = (): Invocation | undefined => invocations.getStore();

/** Runs a handler as an invocation of its own. */
export const runInvocation = <T>(name: string, handle: () => T): T =>
  invocations.run({ name, d1Queries: 0 }, handle);

type Method = (this: unknown, ...args: unknown[]) => unknown;

const isMethod = (value: unknown): value is Method => typeof value === "function";

/**
 * Runs every call of an object as an invocation of its own: each request, alarm and message of a
 * socket. An object that calls its own methods stays in the invocation, while a call of another
 * object starts without one.
 */
export function runCallsAsInvocations(objectClass: Readonly<{ name: string; prototype: object }>) {
  const { name, prototype } = objectClass;
  for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (key === "constructor" || !isMethod(value)) continue;
    const call: Method = function (...args) {
      const run = () => value.apply(this, args);
      return currentInvocation() ? run() : runInvocation(`${name}.${key}`, run);
    };
    Object.defineProperty(prototype, key, { value: call, writable: true, configurable: true });
  }
}
