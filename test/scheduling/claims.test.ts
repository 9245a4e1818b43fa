import { beforeAll, describe, expect, it } from "vitest";
import type { CreatedBusiness } from "../../shared/businesses/index.ts";
import { rowsOf } from "../support/shop-database.ts";
import { givenBusiness } from "../support/world.ts";
import { claim, day, givenService, hour, made, openLocation } from "./given.ts";

let shop: CreatedBusiness;
let home: string;
let service: string;
let other: string;
let ann: string;
let room: string;

beforeAll(async () => {
  shop = await givenBusiness();
  home = await openLocation(shop);
  [service, other] = [await givenService(shop), await givenService(shop)];
  ann = await made(shop, "/staff", { name: "Ann" });
  room = await made(shop, "/resources", { name: "Room", capacity: 3 });
});

let tests = 0;
/** A time of the test's own, and a claim then. */
function nextTime() {
  tests += 1;
  const start = tests * 30 * day;
  let claims = 0;
  const one = (fields: Partial<Parameters<typeof claim>[1]> = {}) => {
    claims += 1;
    return { id: `bk_${tests}_${claims}`, service, location: home, start, ...fields };
  };
  return { start, one };
}

const full = /slot_over_capacity/;
const taken = /slot_staff_taken/;
const inUse = /slot_resource_taken/;

describe("the capacity of a service at a location", () => {
  it("is never exceeded by claims that overlap, their buffers included", async () => {
    const { start, one } = nextTime();
    await claim(shop, one({ capacity: 3, participants: 2, until: start + 2 * hour }));
    await claim(shop, one({ capacity: 3, start: start + hour }));
    await expect(claim(shop, one({ capacity: 3, start: start + 2 * hour - 1 }))).rejects.toThrow(
      full,
    );
    await expect(
      claim(shop, one({ capacity: 3, participants: 2, start: start - hour + 1 })),
    ).rejects.toThrow(full);
  });

  it("is free again from the moment at which a claim ends, and until one begins", async () => {
    const { start, one } = nextTime();
    await claim(shop, one());
    await claim(shop, one({ start: start + hour }), one({ start: start - hour }));
  });

  it("is refused to more participants than it has places, though nobody is there", async () => {
    const { one } = nextTime();
    await expect(claim(shop, one({ participants: 2 }))).rejects.toThrow(full);
  });

  it("is each service's own, at each location", async () => {
    const { one } = nextTime();
    await claim(shop, one(), one({ service: other }), one({ location: "loc_else" }));
  });

  it("is the one that the claim brings, as a variant may have its own", async () => {
    const { one } = nextTime();
    await claim(shop, one({ capacity: 5, participants: 4 }));
    await expect(claim(shop, one({ capacity: 4 }))).rejects.toThrow(full);
    await claim(shop, one({ capacity: 5 }));
  });

  it("counts a claim of the longest kind that began eight days before", async () => {
    const { start, one } = nextTime();
    await claim(shop, one({ until: start + 8 * day }));
    await expect(claim(shop, one({ start: start + 8 * day - 1 }))).rejects.toThrow(full);
    await claim(shop, one({ start: start + 8 * day }));
    await expect(claim(shop, one({ until: start + 8 * day + 1 }))).rejects.toThrow(
      /slot_claims_times/,
    );
  });

  it("lets in exactly as many as there are places, of many that try at once", async () => {
    const { start, one } = nextTime();
    const tries = Array.from({ length: 24 }, (_, index) =>
      one({ capacity: 5, start: start + (index % 3) * 10 * 60_000 }),
    );
    const outcomes = await Promise.allSettled(tries.map((attempt) => claim(shop, attempt)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(String(outcome.reason)).toMatch(full);
  });
});

describe("a hold", () => {
  it("is in the way until it ends, and from then on in nobody's", async () => {
    const { one } = nextTime();
    await claim(shop, one({ expires: 1_000 }));
    await expect(claim(shop, one({ claimedAt: 999 }))).rejects.toThrow(full);
    await claim(shop, one({ claimedAt: 1_000 }));
  });

  it("that ended is not refreshed once others have its place", async () => {
    const { one } = nextTime();
    const hold = one({ expires: 1_000 });
    await claim(shop, hold);
    await claim(shop, one({ claimedAt: 1_500 }));
    await expect(claim(shop, { ...hold, claimedAt: 2_000, expires: 3_000 })).rejects.toThrow(full);
  });

  it("is refreshed, repeated and made larger under its id without being in its own way", async () => {
    const { one } = nextTime();
    const hold = one({ capacity: 3, expires: 1_000 });
    await claim(shop, hold);
    await claim(shop, hold);
    await claim(shop, { ...hold, participants: 3, claimedAt: 500, expires: 1_500 });
    await expect(claim(shop, { ...hold, participants: 4 })).rejects.toThrow(full);
  });
});

describe("a claim that others overlap on both sides", () => {
  const givenCrowded = async () => {
    const { start, one } = nextTime();
    const middle = one({ capacity: 2, expires: 1_000 });
    await claim(shop, middle);
    await claim(shop, one({ capacity: 2, start: start - hour / 2 }));
    await claim(shop, one({ capacity: 2, start: start + hour / 2 }));
    return { middle, start };
  };

  it("keeps what it has while it lives, and gets no more", async () => {
    const { middle, start } = await givenCrowded();
    await claim(shop, { ...middle, claimedAt: 999, expires: 2_000 });
    await expect(claim(shop, { ...middle, participants: 2 })).rejects.toThrow(full);
    await expect(claim(shop, { ...middle, until: start + hour + 1 })).rejects.toThrow(full);
    await expect(claim(shop, { ...middle, start: start + 1 })).rejects.toThrow(full);
    const ended = { ...middle, claimedAt: 2_000, expires: 3_000 };
    await expect(claim(shop, ended)).rejects.toThrow(full);
  });

  it("is asked again for a staff member or a resource that it had not", async () => {
    const { middle, start } = await givenCrowded();
    const others = { service: other, location: home, start };
    await claim(shop, { id: `${middle.id}_staff`, ...others, staff: ann });
    const set = (what: string, value: string) =>
      rowsOf(shop, `update slot_claims set ${what} = ? where id = ?`, value, middle.id);
    await expect(set("staff_id", ann)).rejects.toThrow(taken);
    const booked = { location: "loc_else", resources: [room], participants: 3, capacity: 3 };
    await claim(shop, { id: `${middle.id}_room`, ...others, ...booked });
    await expect(set("resource_ids", JSON.stringify([room]))).rejects.toThrow(inUse);
  });
});

describe("a staff member", () => {
  it("is in one session at a time, of whatever service, wherever", async () => {
    const { start, one } = nextTime();
    await claim(shop, one({ staff: ann }));
    const meanwhile = { staff: ann, start: start + hour / 2 };
    await expect(claim(shop, one({ ...meanwhile, service: other }))).rejects.toThrow(taken);
    await expect(claim(shop, one({ staff: ann, service: other }))).rejects.toThrow(taken);
    await expect(claim(shop, one({ staff: ann, location: "loc_else" }))).rejects.toThrow(taken);
    await expect(
      claim(shop, one({ ...meanwhile, capacity: 9 })),
      "the same service at another start",
    ).rejects.toThrow(taken);
    await claim(shop, one({ staff: ann, service: other, start: start + hour }));
  });

  it("has everybody of one session, as many as there are places", async () => {
    const { one } = nextTime();
    await claim(shop, one({ staff: ann, capacity: 2 }), one({ staff: ann, capacity: 2 }));
    await expect(claim(shop, one({ staff: ann, capacity: 2 }))).rejects.toThrow(full);
  });

  it("is given to exactly one of many sessions that try at once", async () => {
    const { start, one } = nextTime();
    const tries = Array.from({ length: 12 }, (_, index) =>
      one({ staff: ann, start: start + index * 60_000, capacity: 99 }),
    );
    const outcomes = await Promise.allSettled(tries.map((attempt) => claim(shop, attempt)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("a resource", () => {
  it("has no more participants at once than its capacity, of all services together", async () => {
    const { start, one } = nextTime();
    await claim(shop, one({ resources: [room], participants: 2, capacity: 9 }));
    const more = { service: other, resources: [room], start: start + hour / 2, capacity: 9 };
    await expect(claim(shop, one({ ...more, participants: 2 }))).rejects.toThrow(inUse);
    await claim(shop, one(more));
    await expect(claim(shop, one({ ...more, location: "loc_else" }))).rejects.toThrow(inUse);
    await claim(shop, one({ ...more, resources: [] }));
  });

  it("follows a claim that is moved, and is free when it is deleted", async () => {
    const { start, one } = nextTime();
    const booking = one({ resources: [room], participants: 3, capacity: 3 });
    await claim(shop, booking);
    await claim(shop, { ...booking, start: start + day });
    await claim(shop, one({ service: other, resources: [room] }));
    const late = { service: other, resources: [room], start: start + day };
    await expect(claim(shop, one(late))).rejects.toThrow(inUse);
    await rowsOf(shop, "delete from slot_claims where id = ?", booking.id);
    await claim(shop, one(late));
    expect(
      await rowsOf(shop, "select * from slot_claim_resources where claim_id = ?", booking.id),
    ).toEqual([]);
  });

  it("that does not exist cannot be claimed", async () => {
    const { one } = nextTime();
    await expect(claim(shop, one({ resources: ["res_none"] }))).rejects.toThrow(/FOREIGN KEY/);
  });
});

it("refuses a batch whole, with what came before in it", async () => {
  const { one } = nextTime();
  const first = one();
  await expect(claim(shop, first, one())).rejects.toThrow(full);
  expect(await rowsOf(shop, "select id from slot_claims where id = ?", first.id)).toEqual([]);
});
