import { describe, expect, it } from "vitest";
import { declinePayment, failEachRoundTrip, faultKinds, sellOnce } from "./agent-faults.ts";

describe.each(faultKinds)(
  "a completion after a declined payment that meets a fault $when a round trip: $how",
  (kind) => {
    it("sells once when it is repeated", async () => {
      const trips = await failEachRoundTrip(kind, { prepare: declinePayment, recover: sellOnce });
      expect(trips).toBeGreaterThanOrEqual(3);
    });
  },
);
