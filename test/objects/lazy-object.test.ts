import { runInDurableObject } from "cloudflare:test";
import { DurableObject, env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { lazyObjectClass } from "../../functions/runtime/objects/lazy-object.ts";
import { runtime } from "../../functions/runtime/runtime.ts";
import {
  CartSession as LazyCartSession,
  SupportConversation as LazySupportConversation,
} from "../../functions/storefront/worker.ts";
import { CartSession, SupportConversation } from "../support/worker.ts";

class Counter extends DurableObject<Cloudflare.Env> {
  #count = 0;

  count(by: number): number {
    this.#count += by;
    return this.#count;
  }

  override async alarm(): Promise<void> {
    throw new Error("Nothing is due.");
  }
}

type Calls = Readonly<Record<"count" | "alarm", (...args: number[]) => Promise<unknown>>>;

/** An object whose code is loaded by `load`, in the storage of a real one. */
const lazily = <T>(load: () => Promise<typeof Counter>, work: (object: Calls) => Promise<T>) =>
  runInDurableObject(env.CART_SESSION.getByName(runtime.newId("ses")), (_, state) => {
    const Lazy = lazyObjectClass<Cloudflare.Env, "count" | "alarm">(
      { count: true, alarm: true },
      load,
    );
    return work(new Lazy(state, env) as unknown as Calls); // safe: these are the calls that it was given
  });

/** What the runtime calls by itself: no type says that an object has it. */
const handlers = ["alarm", "fetch", "webSocketMessage", "webSocketClose", "webSocketError"];
const handlersOf = ({ prototype }: Readonly<{ prototype: object }>): string[] =>
  handlers.filter((name) => Object.hasOwn(prototype, name));

describe("lazyObjectClass", () => {
  it("creates one object that responds in call order", () =>
    lazily(
      async () => Counter,
      async (object) => {
        const answers = await Promise.all([object.count(1), object.count(10), object.count(100)]);
        expect(answers).toEqual([1, 11, 111]);
      },
    ));

  it("loads the code once, when the object wakes", async () => {
    const load = vi.fn(async () => Counter);
    await lazily(load, async (object) => {
      await object.count(1);
      await object.count(1);
    });
    expect(load).toHaveBeenCalledOnce();
  });

  it("fails when the object fails", () =>
    lazily(
      async () => Counter,
      (object) => expect(object.alarm()).rejects.toThrow("Nothing is due."),
    ));
});

describe("the storefront's lazy object classes", () => {
  it.each([
    { what: "a session", lazy: LazyCartSession, whole: CartSession },
    { what: "a conversation", lazy: LazySupportConversation, whole: SupportConversation },
  ])("forward every handler to $what", ({ lazy, whole }) => {
    expect(handlersOf(lazy)).toEqual(handlersOf(whole));
  });
});
