import { beforeEach, vi } from "vitest";
import { leaseTimeoutMs } from "../../functions/http/rate-limits/lease-holder.ts";

/**
 * Lets a limit wait for its counter, in each test of the file, however busy the machine is: in the
 * service it waits for a moment, and then lets traffic pass.
 */
export function patientLimiter(): void {
  beforeEach(() => {
    const later = globalThis.setTimeout;
    const patient = vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation((work, ms) => later(work, ms === leaseTimeoutMs ? 20_000 : ms));
    return () => patient.mockRestore();
  });
}
