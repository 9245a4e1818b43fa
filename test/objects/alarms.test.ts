import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { type Alarms, createAlarms } from "../../functions/runtime/objects/alarms.ts";
import { runtime } from "../../functions/runtime/runtime.ts";
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
  runInDurableObject(env.CART_SESSION.getByName(runtime.newId("ses")), (_, { storage }) =>
    work(createAlarms<Name>(storage), () => storage.getAlarm(), storage),
  );

const nothing = async () => {};

describe("createAlarms", () => {
  it("sets the object's alarm to the earliest due time", () =>
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
      expect(alarms.dueAt("tea")).toBeNull();
    }));

  it("moves an alarm once that its handler sets to its next attempt", () =>
    inObject(async (_, alarm, storage) => {
      const alarms = createAlarms<Name>(storage, new Map([["tea", 5 * minute]]));
      const put = vi.spyOn(storage.kv, "put");
      alarms.set("tea", now);
      alarms.set("bread", now + hour);
      put.mockClear();
      const tea = async () => {
        expect(await alarm()).toBe(now + 5 * minute);
        alarms.set("tea", now + 5 * minute);
      };
      await alarms.runDue({ tea, bread: nothing }, now);
      expect(put).toHaveBeenCalledTimes(1);
      expect(alarms.dueAt("tea")).toBe(now + 5 * minute);
    }));

  it("runs only due handlers, the longest due first", () =>
    inObject(async (alarms, alarm) => {
      const runs: string[] = [];
      const handlers = {
        tea: async () => {
          runs.push("tea");
          alarms.clear("tea");
        },
        bread: async () => {
          runs.push("bread");
          alarms.set("bread", now + hour);
        },
      };
      alarms.set("bread", now);
      alarms.set("tea", now - 1);
      await alarms.runDue(handlers, now);
      expect(runs).toEqual(["tea", "bread"]);
      expect(await alarm()).toBe(now + hour);
      alarms.set("tea", now + 2 * hour);
      await alarms.runDue(handlers, now + hour);
      expect(runs).toEqual(["tea", "bread", "bread"]);
    }));

  it("runs the earliest handler although the clock is behind the alarm", () =>
    inObject(async (alarms) => {
      const tea = vi.fn(nothing);
      alarms.set("tea", now + 5);
      await alarms.runDue({ tea, bread: nothing }, now);
      expect(tea).toHaveBeenCalledOnce();
    }));

  it("runs a handler again after a minute when it fails or the object dies", () =>
    inObject(async (alarms, alarm) => {
      const logged = vi.spyOn(console, "error").mockImplementation(() => {});
      const bread = vi.fn(nothing);
      alarms.set("tea", now);
      alarms.set("bread", now);
      const tea = async () => {
        expect(await alarm()).toBe(now + minute);
        throw new Error("spilt");
      };
      await alarms.runDue({ tea, bread }, now);
      expect(bread).toHaveBeenCalledOnce();
      expect(await alarm()).toBe(now + minute);
      expect(logged.mock.calls.join()).toContain("spilt");
      logged.mockRestore();
    }));

  it("removes an alarm without a handler", () =>
    inObject(async (alarms, alarm, storage) => {
      alarms.set("tea", now);
      const later = createAlarms<"bread">(storage);
      await later.runDue({ bread: nothing }, now);
      expect(await alarm()).toBeNull();
    }));
});
