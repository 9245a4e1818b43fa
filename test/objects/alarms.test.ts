import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { type Alarms, alarmsOf } from "../../functions/runtime/objects/alarms.ts";
import { chance } from "../../functions/runtime/runtime.ts";
import { hour, minute } from "../../shared/kernel/index.ts";

type Name = "tea" | "bread";

/** Far enough ahead that no alarm rings by itself. */
const now = 4_000_000_000_000;

/** Works with the alarms of an object of the test's own. */
const inObject = (
  work: (
    alarms: Alarms<Name>,
    alarm: () => Promise<number | null>,
    storage: DurableObjectStorage,
  ) => Promise<void>,
) =>
  runInDurableObject(env.CART_SESSION.getByName(chance.newId("ses")), (_, { storage }) =>
    work(alarmsOf<Name>(storage), () => storage.getAlarm(), storage),
  );

const nothing = async () => {};

describe("an object's due times", () => {
  it("set its alarm to the earliest of them", () =>
    inObject(async (alarms, alarm) => {
      alarms.set("tea", now + hour);
      expect(await alarm()).toBe(now + hour);
      alarms.set("bread", now + minute);
      expect(await alarm()).toBe(now + minute);
      alarms.clear("bread");
      expect(await alarm()).toBe(now + hour);
      alarms.clear("tea");
      alarms.clear("tea");
      expect(await alarm()).toBeNull();
      expect(alarms.at("tea")).toBeNull();
    }));

  it("ring for what is due and for nothing else, the longest due first", () =>
    inObject(async (alarms, alarm) => {
      const rung: string[] = [];
      const handlers = {
        tea: async () => {
          rung.push("tea");
          alarms.clear("tea");
        },
        bread: async () => {
          rung.push("bread");
          alarms.set("bread", now + hour);
        },
      };
      alarms.set("bread", now);
      alarms.set("tea", now - 1);
      await alarms.ring(handlers, now);
      expect(rung).toEqual(["tea", "bread"]);
      expect(await alarm()).toBe(now + hour);
      alarms.set("tea", now + 2 * hour);
      await alarms.ring(handlers, now + hour);
      expect(rung).toEqual(["tea", "bread", "bread"]);
    }));

  it("ring for the earliest though the clock is behind the alarm", () =>
    inObject(async (alarms) => {
      const tea = vi.fn(nothing);
      alarms.set("tea", now + 5);
      await alarms.ring({ tea, bread: nothing }, now);
      expect(tea).toHaveBeenCalledOnce();
    }));

  it("come again in a minute when a handler fails, or the object dies in it", () =>
    inObject(async (alarms, alarm) => {
      const told = vi.spyOn(console, "error").mockImplementation(() => {});
      const bread = vi.fn(nothing);
      alarms.set("tea", now);
      alarms.set("bread", now);
      const tea = async () => {
        expect(await alarm()).toBe(now + minute);
        throw new Error("spilt");
      };
      await alarms.ring({ tea, bread }, now);
      expect(bread).toHaveBeenCalledOnce();
      expect(await alarm()).toBe(now + minute);
      expect(told.mock.calls.join()).toContain("spilt");
      told.mockRestore();
    }));

  it("forget a name that nobody handles any more", () =>
    inObject(async (alarms, alarm, storage) => {
      alarms.set("tea", now);
      const later = alarmsOf<"bread">(storage);
      await later.ring({ bread: nothing }, now);
      expect(await alarm()).toBeNull();
    }));
});
