import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { selectRows } from "../support/select-rows.ts";
import { createBusiness } from "../support/world.ts";
import {
  allocateSlots,
  createRecord,
  createService,
  day,
  hour,
  openLocation,
} from "./create-service.ts";

let shop: CreatedBusiness;
let home: string;
let service: string;
let other: string;
let ann: string;
let room: string;

beforeAll(async () => {
  shop = await createBusiness();
  home = await openLocation(shop);
  [service, other] = [await createService(shop), await createService(shop)];
  ann = await createRecord(shop, "/staff", { name: "Ann" });
  room = await createRecord(shop, "/resources", { name: "Room", capacity: 3 });
});

let tests = 0;
/** Reserves a time for one test, and returns a builder of allocations at that time. */
function nextFreeDay() {
  tests += 1;
  const start = tests * 30 * day;
  let count = 0;
  const allocation = (fields: Partial<Parameters<typeof allocateSlots>[1]> = {}) => {
    count += 1;
    return { id: `bk_${tests}_${count}`, service, location: home, start, ...fields };
  };
  return { start, allocation };
}

const capacityExceeded = /slot_over_capacity/;
const staffTaken = /slot_staff_taken/;
const resourceTaken = /slot_resource_taken/;

describe("the capacity of a service at a location", () => {
  it("is never exceeded by overlapping allocations", async () => {
    const { start, allocation } = nextFreeDay();
    await allocateSlots(
      shop,
      allocation({ capacity: 3, participants: 2, until: start + 2 * hour }),
    );
    await allocateSlots(shop, allocation({ capacity: 3, start: start + hour }));
    await expect(
      allocateSlots(shop, allocation({ capacity: 3, start: start + 2 * hour - 1 })),
    ).rejects.toThrow(capacityExceeded);
    await expect(
      allocateSlots(shop, allocation({ capacity: 3, participants: 2, start: start - hour + 1 })),
    ).rejects.toThrow(capacityExceeded);
  });

  it("is free before an allocation starts and from its end on", async () => {
    const { start, allocation } = nextFreeDay();
    await allocateSlots(shop, allocation());
    await allocateSlots(
      shop,
      allocation({ start: start + hour }),
      allocation({ start: start - hour }),
    );
  });

  it("refuses more participants than the capacity of an empty slot", async () => {
    const { allocation } = nextFreeDay();
    await expect(allocateSlots(shop, allocation({ participants: 2 }))).rejects.toThrow(
      capacityExceeded,
    );
  });

  it("is separate for each service and location", async () => {
    const { allocation } = nextFreeDay();
    await allocateSlots(
      shop,
      allocation(),
      allocation({ service: other }),
      allocation({ location: "loc_else" }),
    );
  });

  it("is the capacity of the new allocation, which may be a variant's", async () => {
    const { allocation } = nextFreeDay();
    await allocateSlots(shop, allocation({ capacity: 5, participants: 4 }));
    await expect(allocateSlots(shop, allocation({ capacity: 4 }))).rejects.toThrow(
      capacityExceeded,
    );
    await allocateSlots(shop, allocation({ capacity: 5 }));
  });

  it("counts an allocation of the maximum length of eight days", async () => {
    const { start, allocation } = nextFreeDay();
    await allocateSlots(shop, allocation({ until: start + 8 * day }));
    await expect(allocateSlots(shop, allocation({ start: start + 8 * day - 1 }))).rejects.toThrow(
      capacityExceeded,
    );
    await allocateSlots(shop, allocation({ start: start + 8 * day }));
    await expect(allocateSlots(shop, allocation({ until: start + 8 * day + 1 }))).rejects.toThrow(
      /slot_claims_times/,
    );
  });

  it("accepts exactly as many concurrent allocations as fit", async () => {
    const { start, allocation } = nextFreeDay();
    const tries = Array.from({ length: 24 }, (_, index) =>
      allocation({ capacity: 5, start: start + (index % 3) * 10 * 60_000 }),
    );
    const outcomes = await Promise.allSettled(tries.map((attempt) => allocateSlots(shop, attempt)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(String(outcome.reason)).toMatch(capacityExceeded);
  });
});

describe("a hold", () => {
  it("occupies the slot until it expires", async () => {
    const { allocation } = nextFreeDay();
    await allocateSlots(shop, allocation({ expires: 1_000 }));
    await expect(allocateSlots(shop, allocation({ claimedAt: 999 }))).rejects.toThrow(
      capacityExceeded,
    );
    await allocateSlots(shop, allocation({ claimedAt: 1_000 }));
  });

  it("is not renewed after it expired and the slot was taken", async () => {
    const { allocation } = nextFreeDay();
    const hold = allocation({ expires: 1_000 });
    await allocateSlots(shop, hold);
    await allocateSlots(shop, allocation({ claimedAt: 1_500 }));
    await expect(
      allocateSlots(shop, { ...hold, claimedAt: 2_000, expires: 3_000 }),
    ).rejects.toThrow(capacityExceeded);
  });

  it("is not counted against itself when it is renewed, repeated or increased", async () => {
    const { allocation } = nextFreeDay();
    const hold = allocation({ capacity: 3, expires: 1_000 });
    await allocateSlots(shop, hold);
    await allocateSlots(shop, hold);
    await allocateSlots(shop, { ...hold, participants: 3, claimedAt: 500, expires: 1_500 });
    await expect(allocateSlots(shop, { ...hold, participants: 4 })).rejects.toThrow(
      capacityExceeded,
    );
  });
});

describe("an allocation that others overlap on both sides", () => {
  const createOverlappedHold = async () => {
    const { start, allocation } = nextFreeDay();
    const middle = allocation({ capacity: 2, expires: 1_000 });
    await allocateSlots(shop, middle);
    await allocateSlots(shop, allocation({ capacity: 2, start: start - hour / 2 }));
    await allocateSlots(shop, allocation({ capacity: 2, start: start + hour / 2 }));
    return { middle, start };
  };

  it("can be renewed while it is live, but not extended", async () => {
    const { middle, start } = await createOverlappedHold();
    await allocateSlots(shop, { ...middle, claimedAt: 999, expires: 2_000 });
    await expect(allocateSlots(shop, { ...middle, participants: 2 })).rejects.toThrow(
      capacityExceeded,
    );
    await expect(allocateSlots(shop, { ...middle, until: start + hour + 1 })).rejects.toThrow(
      capacityExceeded,
    );
    await expect(allocateSlots(shop, { ...middle, start: start + 1 })).rejects.toThrow(
      capacityExceeded,
    );
    const ended = { ...middle, claimedAt: 2_000, expires: 3_000 };
    await expect(allocateSlots(shop, ended)).rejects.toThrow(capacityExceeded);
  });

  it("is checked again when it gets another staff member or resource", async () => {
    const { middle, start } = await createOverlappedHold();
    const others = { service: other, location: home, start };
    await allocateSlots(shop, { id: `${middle.id}_staff`, ...others, staff: ann });
    const set = (what: string, value: string) =>
      selectRows(shop, `update slot_claims set ${what} = ? where id = ?`, value, middle.id);
    await expect(set("staff_id", ann)).rejects.toThrow(staffTaken);
    const booked = { location: "loc_else", resources: [room], participants: 3, capacity: 3 };
    await allocateSlots(shop, { id: `${middle.id}_room`, ...others, ...booked });
    await expect(set("resource_ids", JSON.stringify([room]))).rejects.toThrow(resourceTaken);
  });
});

describe("a staff member", () => {
  it("has one session at a time over all services and locations", async () => {
    const { start, allocation } = nextFreeDay();
    await allocateSlots(shop, allocation({ staff: ann }));
    const meanwhile = { staff: ann, start: start + hour / 2 };
    await expect(allocateSlots(shop, allocation({ ...meanwhile, service: other }))).rejects.toThrow(
      staffTaken,
    );
    await expect(allocateSlots(shop, allocation({ staff: ann, service: other }))).rejects.toThrow(
      staffTaken,
    );
    await expect(
      allocateSlots(shop, allocation({ staff: ann, location: "loc_else" })),
    ).rejects.toThrow(staffTaken);
    await expect(
      allocateSlots(shop, allocation({ ...meanwhile, capacity: 9 })),
      "the same service at another start",
    ).rejects.toThrow(staffTaken);
    await allocateSlots(shop, allocation({ staff: ann, service: other, start: start + hour }));
  });

  it("serves all participants of one session up to its capacity", async () => {
    const { allocation } = nextFreeDay();
    await allocateSlots(
      shop,
      allocation({ staff: ann, capacity: 2 }),
      allocation({ staff: ann, capacity: 2 }),
    );
    await expect(allocateSlots(shop, allocation({ staff: ann, capacity: 2 }))).rejects.toThrow(
      capacityExceeded,
    );
  });

  it("is assigned to exactly one of many concurrent sessions", async () => {
    const { start, allocation } = nextFreeDay();
    const tries = Array.from({ length: 12 }, (_, index) =>
      allocation({ staff: ann, start: start + index * 60_000, capacity: 99 }),
    );
    const outcomes = await Promise.allSettled(tries.map((attempt) => allocateSlots(shop, attempt)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("a resource", () => {
  it("limits the participants of all services together", async () => {
    const { start, allocation } = nextFreeDay();
    await allocateSlots(shop, allocation({ resources: [room], participants: 2, capacity: 9 }));
    const more = { service: other, resources: [room], start: start + hour / 2, capacity: 9 };
    await expect(allocateSlots(shop, allocation({ ...more, participants: 2 }))).rejects.toThrow(
      resourceTaken,
    );
    await allocateSlots(shop, allocation(more));
    await expect(
      allocateSlots(shop, allocation({ ...more, location: "loc_else" })),
    ).rejects.toThrow(resourceTaken);
    await allocateSlots(shop, allocation({ ...more, resources: [] }));
  });

  it("is released when an allocation is moved or deleted", async () => {
    const { start, allocation } = nextFreeDay();
    const booking = allocation({ resources: [room], participants: 3, capacity: 3 });
    await allocateSlots(shop, booking);
    await allocateSlots(shop, { ...booking, start: start + day });
    await allocateSlots(shop, allocation({ service: other, resources: [room] }));
    const late = { service: other, resources: [room], start: start + day };
    await expect(allocateSlots(shop, allocation(late))).rejects.toThrow(resourceTaken);
    await selectRows(shop, "delete from slot_claims where id = ?", booking.id);
    await allocateSlots(shop, allocation(late));
    expect(
      await selectRows(shop, "select * from slot_claim_resources where claim_id = ?", booking.id),
    ).toEqual([]);
  });

  it("must exist", async () => {
    const { allocation } = nextFreeDay();
    await expect(allocateSlots(shop, allocation({ resources: ["res_none"] }))).rejects.toThrow(
      /FOREIGN KEY/,
    );
  });
});

it("rolls back the whole batch", async () => {
  const { allocation } = nextFreeDay();
  const first = allocation();
  await expect(allocateSlots(shop, first, allocation())).rejects.toThrow(capacityExceeded);
  expect(await selectRows(shop, "select id from slot_claims where id = ?", first.id)).toEqual([]);
});
