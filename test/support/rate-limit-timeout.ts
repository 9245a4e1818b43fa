import { beforeEach, vi } from "vitest";
import { leaseTimeoutMs } from "../../functions/http/rate-limits/lease-holder.ts";

const extendedTimeoutMs = 20_000;

/**
 * Makes rate limits wait for their counter in each test of the file, however busy the machine is. The
 * service itself lets a request pass after a moment.
 */
export function extendRateLimitTimeout(): void {
  beforeEach(() => {
    const { setTimeout } = globalThis;
    const spy = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation((callback, ms) =>
        setTimeout(callback, ms === leaseTimeoutMs ? extendedTimeoutMs : ms),
      );
    return () => spy.mockRestore();
  });
}
