import { DurableObject } from "cloudflare:workers";

type ObjectCalls<Name extends string> = Readonly<Record<Name, (...args: never[]) => unknown>>;

type ObjectClass<Env, Name extends string> = new (
  ctx: DurableObjectState,
  env: Env,
) => ObjectCalls<Name>;

/**
 * Defines a Durable Object class that imports its code when an object wakes. A Worker must export
 * the class at start, although most isolates hold no object. The class has only the methods in
 * `calls`. After a failed import, the next call imports again.
 */
export function lazyObjectClass<Env, Name extends string>(
  calls: Readonly<Record<Name, true>>,
  load: () => Promise<ObjectClass<Env, Name>>,
) {
  return class Lazy extends DurableObject<Env> {
    readonly #object: Promise<ObjectCalls<Name>>;

    // The methods are defined on the prototype, because Cloudflare looks there for RPC methods and
    // events.
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
