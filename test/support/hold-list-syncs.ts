import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, vi } from "vitest";
import { copyAfterMs } from "../../functions/storefront/objects/support-conversation/conversation-list-sync.ts";
import { gatherMs } from "../../functions/storefront/objects/support-conversation/shared-copy.ts";

type HeldUpdate = () => unknown;

/**
 * Holds, in each test of the file, the list updates that conversations schedule: an eviction would
 * wait for their timers, and a crash does not.
 *
 * @param gathersForMs how long an update waits for other conversations.
 */
export function holdListSyncs({ gathersForMs = 0 } = {}) {
  let scheduled: HeldUpdate[] = [];
  beforeEach(() => {
    scheduled = [];
    const { setTimeout } = globalThis;
    const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation((callback, ms) => {
      if (ms === gatherMs) return setTimeout(callback, gathersForMs);
      if (ms !== copyAfterMs) return setTimeout(callback, ms);
      scheduled.push(callback);
      return setTimeout(() => {}, 0);
    });
    return () => spy.mockRestore();
  });

  /** Returns the held updates, and holds them no more. */
  function take(): readonly HeldUpdate[] {
    const taken = scheduled;
    scheduled = [];
    return taken;
  }

  return {
    count: () => scheduled.length,
    take,
    /** Runs updates of the object, by default those that are held, as their timers would. */
    async run(object: DurableObjectStub, due = take()): Promise<void> {
      await runInDurableObject(object, () => Promise.all(due.map((update) => update())));
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
