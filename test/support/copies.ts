import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, vi } from "vitest";
import { copyAfterMs } from "../../functions/storefront/objects/support-conversation/conversation-index.ts";

/**
 * Holds back, in each test of the file, the copies that conversations plan for themselves: an
 * eviction waits for its object's timers, which no crash does.
 */
export function heldCopies() {
  let planned: (() => unknown)[] = [];
  beforeEach(() => {
    planned = [];
    const later = globalThis.setTimeout;
    const held = vi.spyOn(globalThis, "setTimeout").mockImplementation((work, ms) => {
      if (ms !== copyAfterMs) return later(work, ms);
      planned.push(work);
      return later(() => {}, 0);
    });
    return () => held.mockRestore();
  });
  return {
    count: () => planned.length,
    /** What happens when their time has come. */
    async make(object: DurableObjectStub): Promise<void> {
      const due = planned;
      planned = [];
      await runInDurableObject(object, () => Promise.all(due.map((copy) => copy())));
    },
    /** The object dies, and what it had planned with it. */
    async evict(
      object: DurableObjectStub,
      options?: Parameters<typeof evictDurableObject>[1],
    ): Promise<void> {
      planned = [];
      await evictDurableObject(object, options);
    },
  };
}
