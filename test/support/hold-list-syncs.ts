import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, vi } from "vitest";
import { copyAfterMs } from "../../functions/storefront/objects/support-conversation/conversation-list-sync.ts";

/**
 * Holds, in each test of the file, the list updates that conversations schedule: an eviction would
 * wait for their timers, and a crash does not.
 */
export function holdListSyncs() {
  let scheduled: (() => unknown)[] = [];
  beforeEach(() => {
    scheduled = [];
    const { setTimeout } = globalThis;
    const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation((callback, ms) => {
      if (ms !== copyAfterMs) return setTimeout(callback, ms);
      scheduled.push(callback);
      return setTimeout(() => {}, 0);
    });
    return () => spy.mockRestore();
  });
  return {
    count: () => scheduled.length,
    /** Runs the held updates, as their timers would. */
    async run(object: DurableObjectStub): Promise<void> {
      const due = scheduled;
      scheduled = [];
      await runInDurableObject(object, () => Promise.all(due.map((sync) => sync())));
    },
    /** Evicts the object, which loses the held updates. */
    async evict(
      object: DurableObjectStub,
      options?: Parameters<typeof evictDurableObject>[1],
    ): Promise<void> {
      scheduled = [];
      await evictDurableObject(object, options);
    },
  };
}
