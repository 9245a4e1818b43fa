import { describe, expect, it } from "vitest";
import { declinePayment, failEachRoundTrip, faultKinds, expectSoldOnce } from "./agent-faults.ts";

describe.each(faultKinds)(
  "a completion after a declinePayment payment that meets a fault $when a round trip: $how",
  (kind) => {
    it("sells once when it is repeated", async () => {
      const trips = await failEachRoundTrip(kind, { prepare: declinePayment, recover: expectSoldOnce });
      expect(trips).toBeGreaterThanOrEqual(3);
    });
  },
);
