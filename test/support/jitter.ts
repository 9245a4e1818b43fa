import { env } from "cloudflare:workers";

const { TEST_JITTER: seed }: Record<string, string | undefined> = import.meta.env;

const maxDelayMs = 12;

type Send = (...args: unknown[]) => Promise<unknown>;

/** The class whose method sends all calls of D1 clients. */
const sessions = Object.getPrototypeOf(env.SHOP_1.withSession()) as { _sendOrThrow: Send }; // safe: checked below

let isInstalled = false;

/**
 * With TEST_JITTER=<seed>, delays every database call at random. Concurrent calls then run in other
 * orders, and an assertion that only holds in the usual order fails.
 */
export function installJitter(): void {
  if (seed === undefined || isInstalled) return;
  isInstalled = true;
  const { _sendOrThrow: send } = sessions;
  if (typeof send !== "function") throw new Error("D1's client sends by another method.");
  const wait = scheduler.wait.bind(scheduler);
  let state = Number(seed);
  const drawDelay = () => {
    state = (state * 48_271 + 11) % 0x7fffffff;
    return state % maxDelayMs;
  };
  sessions._sendOrThrow = async function (this: unknown, ...args) {
    await wait(drawDelay());
    const result = await send.apply(this, args);
    await wait(drawDelay());
    return result;
  };
}
