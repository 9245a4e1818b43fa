import { DurableObject } from "cloudflare:workers";

type Loaded<Name extends string> = Readonly<Record<Name, (...args: never[]) => unknown>>;

type ObjectClass<Env, Name extends string> = new (
  ctx: DurableObjectState,
  env: Env,
) => Loaded<Name>;

/**
 * The class of a Durable Object whose code is imported when an object of it first wakes: a Worker
 * must export the class when it starts, though most of its isolates hold no object. Of the object it
 * has the calls that are named. Nothing reaches an object before it is made, and one that cannot be
 * made begins anew with the next call.
 */
export function lazyObject<Env, Name extends string>(
  calls: Readonly<Record<Name, true>>,
  load: () => Promise<ObjectClass<Env, Name>>,
) {
  return class Lazy extends DurableObject<Env> {
    readonly #object: Promise<Loaded<Name>>;

    // RPC and the runtime's handlers are looked for on the prototype.
    static {
      for (const name of Object.keys(calls) as Name[]) {
        const value = function (this: Lazy, ...args: unknown[]): Promise<unknown> {
          return this.#object.then((object) => Reflect.apply(object[name], object, args));
        };
        Object.defineProperty(Lazy.prototype, name, { value });
      }
    }

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      this.#object = ctx.blockConcurrencyWhile(async () => new (await load())(ctx, env));
    }
  };
}
