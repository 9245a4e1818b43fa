import { describe, expect, it } from "vitest";
import {
  doNothing,
  failEachRoundTrip,
  faultKinds,
  resumeByAlarm,
  sellOnce,
} from "./agent-faults.ts";

describe.each(faultKinds)(
  "an agent's completion that meets a fault $when a round trip: $how",
  (kind) => {
    it("sells once when it is repeated without a key", async () => {
      const trips = await failEachRoundTrip(kind, { prepare: doNothing, recover: sellOnce });
      expect(trips).toBeGreaterThanOrEqual(3);
    });

    it("is resumed by the alarm without the token, and never charges twice", async () => {
      const trips = await failEachRoundTrip(kind, { prepare: doNothing, recover: resumeByAlarm });
      expect(trips).toBeGreaterThanOrEqual(3);
    });
  },
);
