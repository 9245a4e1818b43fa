import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { day, hour, minute, second } from "../../shared/kernel/index.ts";
import { forgetKnownNetworks, purgeCodes } from "../../shared/one-time-codes/index.ts";
import { createCodeFixture, outcomeOf, phone, wrongCode } from "./create-code.ts";

const home = "203.0.113.7";
const office = "192.0.2.20";
const attacker = (index: number) => `198.51.100.${index}`;

type CodeFixture = ReturnType<typeof createCodeFixture>;

/** Logs in from networks, the first one first. */
async function logInFrom({ issue, redeem, wait }: CodeFixture, ...networks: readonly string[]) {
  for (const network of networks) {
    expect(await redeem(await issue({ network }), { network })).toBe("ok");
    wait(hour);
  }
}

/** Requests five codes from as many networks: all that networks get that are not known. */
async function useUpContact({ issue, wait }: CodeFixture) {
  for (const index of [1, 2, 3, 4, 5]) {
    await issue({ network: attacker(index) });
    wait(30 * second);
  }
}

async function guess({ redeem }: CodeFixture, code: string, network: string, times = 5) {
  for (let count = 0; count < times; count += 1) await redeem(wrongCode(code), { network });
}

/** The codes of the last hour and their wrong tries. */
async function countCodes({ ctx }: CodeFixture, isReserved: boolean) {
  const row = await env.SHOP_1.prepare(
    "select count(*) as codes, total(wrong_tries) as tries from one_time_codes where audience = ? and issued_at > ? and is_reserved = ?",
  )
    .bind(ctx.audience.id, ctx.now() - hour, Number(isReserved))
    .first();
  return { codes: Number(row?.codes), tries: Number(row?.tries) };
}

const countOk = (outcomes: readonly string[]) =>
  outcomes.filter((outcome) => outcome === "ok").length;

describe("the codes of a contact", () => {
  it("are at most five an hour for all networks that are not known to it", async () => {
    const fixture = createCodeFixture();
    await useUpContact(fixture);
    expect(await outcomeOf(fixture.issue({ network: attacker(9) }))).toBe("RATE_LIMITED");
    fixture.wait(hour);
    expect(await outcomeOf(fixture.issue({ network: attacker(9) }))).toBe("ok");
  });

  it("are at most five also for concurrent calls from many networks", async () => {
    const { issue, wait } = createCodeFixture();
    const issued: number[] = [];
    for (const _ of [1, 2, 3, 4, 5, 6]) {
      const calls = [1, 2, 3, 4].map((index) => outcomeOf(issue({ network: attacker(index) })));
      issued.push(countOk(await Promise.all(calls)));
      wait(30 * second);
    }
    expect(issued).toEqual([1, 1, 1, 1, 1, 0]);
  });

  it("allow at most 25 wrong tries from unknown networks, in every order of calls", async () => {
    const fixture = createCodeFixture();
    await logInFrom(fixture, home);
    const codes: string[] = [];
    for (const [step, byte] of crypto.getRandomValues(new Uint8Array(200)).entries()) {
      const network = attacker(byte % 12);
      const isOwner = byte > 180;
      if (step % 12 === 0)
        await fixture.issue(isOwner ? {} : { network }).then(
          (code) => codes.push(code),
          () => null,
        );
      else await fixture.redeem(codes.includes("000000") ? "000001" : "000000", { network });
      fixture.wait(5 * second);
    }
    expect(await countCodes(fixture, false)).toEqual({ codes: 5, tries: expect.any(Number) });
    expect((await countCodes(fixture, false)).tries).toBeLessThanOrEqual(25);
    expect(await countCodes(fixture, true)).toMatchObject({ tries: 0 });
  });

  it("allow 40 wrong tries and eight codes to an attacker who also shares a known network", async () => {
    const fixture = createCodeFixture();
    await logInFrom(fixture, home);
    const spend = async (network: string) => {
      const code = await fixture.issue({ network }).catch(() => null);
      if (code !== null) await guess(fixture, code, network, 6);
      fixture.wait(30 * second);
    };
    for (let round = 0; round < 8; round += 1) await spend(attacker(round));
    for (let round = 0; round < 8; round += 1) await spend(home);
    expect(await countCodes(fixture, false)).toEqual({ codes: 5, tries: 25 });
    expect(await countCodes(fixture, true)).toEqual({ codes: 3, tries: 15 });
  });
});

describe("a network from which the contact has logged in", () => {
  it("logs in although attackers have used up all codes and tries", async () => {
    const fixture = createCodeFixture();
    const { issue, redeem, wait } = fixture;
    await logInFrom(fixture, home);
    await useUpContact(fixture);
    for (const index of [1, 2, 3, 4, 5]) await guess(fixture, "", attacker(index));
    const code = await issue();
    for (const index of [1, 2, 3, 4, 5]) await guess(fixture, code, attacker(index));
    expect(await redeem(code, { network: attacker(1) })).toBe("UNAUTHORIZED");
    await guess(fixture, code, home, 4);
    expect(await redeem(code)).toBe("ok");
    wait(minute);
    expect(await redeem(await issue())).toBe("ok");
  });

  it("need not wait for the code of an attacker, but for its own", async () => {
    const fixture = createCodeFixture();
    const { issue, wait } = fixture;
    await logInFrom(fixture, home);
    await issue({ network: attacker(1) });
    expect(await outcomeOf(issue())).toBe("ok");
    wait(29 * second);
    expect(await outcomeOf(issue())).toBe("RATE_LIMITED");
    wait(second);
    expect(await outcomeOf(issue())).toBe("ok");
  });

  it("gets three codes an hour from the reserve, also in concurrent calls", async () => {
    const fixture = createCodeFixture();
    const { issue, wait } = fixture;
    await logInFrom(fixture, home, office);
    await useUpContact(fixture);
    const issued: number[] = [];
    for (const _ of [1, 2, 3]) {
      const calls = [home, home, office, office].map((network) => outcomeOf(issue({ network })));
      issued.push(countOk(await Promise.all(calls)));
      wait(30 * second);
    }
    expect(issued).toEqual([2, 1, 0]);
    wait(hour);
    expect(await outcomeOf(issue())).toBe("ok");
  });

  it("is known for 90 days, through purges", async () => {
    const fixture = createCodeFixture();
    const { ctx, issue, wait } = fixture;
    await logInFrom(fixture, home);
    wait(90 * day - 2 * hour);
    await ctx.db.batch([purgeCodes(ctx.db, ctx.now(), { database: "shop" })]);
    await useUpContact(fixture);
    expect(await outcomeOf(issue())).toBe("ok");
    wait(hour);
    await useUpContact(fixture);
    expect(await outcomeOf(issue())).toBe("RATE_LIMITED");
  });

  it("is one of the latest three", async () => {
    const fixture = createCodeFixture();
    await logInFrom(fixture, office, home, attacker(20), attacker(21), home, attacker(22));
    const outcomes: string[] = [];
    for (const network of [office, attacker(20), home, attacker(21), attacker(22)]) {
      fixture.wait(hour);
      await useUpContact(fixture);
      outcomes.push(await outcomeOf(fixture.issue({ network })));
    }
    expect(outcomes).toEqual(["RATE_LIMITED", "RATE_LIMITED", "ok", "ok", "ok"]);
  });

  it("is the one that redeemed the code, not the one that requested it", async () => {
    const fixture = createCodeFixture();
    const { issue, redeem, wait } = fixture;
    expect(await redeem(await issue({ network: office }), { network: home })).toBe("ok");
    wait(hour);
    await useUpContact(fixture);
    expect(await outcomeOf(issue({ network: office }))).toBe("RATE_LIMITED");
    expect(await outcomeOf(issue({ network: home }))).toBe("ok");
  });

  it("is no longer known after an erasure of the contact", async () => {
    const fixture = createCodeFixture();
    await logInFrom(fixture, home);
    await fixture.ctx.db.batch(await forgetKnownNetworks(fixture.ctx, phone));
    await useUpContact(fixture);
    expect(await outcomeOf(fixture.issue())).toBe("RATE_LIMITED");
  });
});

describe("the wrong tries of another network", () => {
  it("leave three to the network that requested the code", async () => {
    const fixture = createCodeFixture();
    const code = await fixture.issue();
    for (const index of [1, 2, 3]) await guess(fixture, code, attacker(index));
    await guess(fixture, code, home, 2);
    expect(await fixture.redeem(code)).toBe("ok");
  });

  it("leave three to a network from which the contact has logged in", async () => {
    const fixture = createCodeFixture();
    await logInFrom(fixture, office);
    const code = await fixture.issue();
    await guess(fixture, code, attacker(1));
    await guess(fixture, code, office, 2);
    expect(await fixture.redeem(code, { network: office })).toBe("ok");
  });

  it("end it after two for all other networks, also in concurrent calls", async () => {
    const fixture = createCodeFixture();
    const { issue, redeem } = fixture;
    const code = await issue();
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        redeem(wrongCode(code), { network: attacker(index) }),
      ),
    );
    expect(await countCodes(fixture, false)).toEqual({ codes: 1, tries: 2 });
    expect(await redeem(code, { network: attacker(1) })).toBe("UNAUTHORIZED");
    expect(await redeem(code)).toBe("ok");
  });

  it("leave a code redeemable on a second network", async () => {
    const fixture = createCodeFixture();
    const { issue, redeem } = fixture;
    const code = await issue();
    await guess(fixture, code, office, 1);
    expect(await redeem(code, { network: office })).toBe("ok");
    expect(await redeem(code)).toBe("UNAUTHORIZED");
  });
});

describe("a code that another network requests", () => {
  it("does not replace the earlier one", async () => {
    const { issue, redeem, wait } = createCodeFixture();
    const code = await issue();
    wait(minute);
    await issue({ network: attacker(1) });
    expect(await redeem(code)).toBe("ok");
  });

  it("can be redeemed as well, and counts as no wrong try of the earlier one", async () => {
    const fixture = createCodeFixture();
    const { issue, redeem, wait } = fixture;
    const own = await issue();
    wait(minute);
    const other = await issue({ network: attacker(1) });
    await guess(fixture, own, home, 1);
    expect(await redeem(other)).toBe("ok");
    await guess(fixture, own, home, 3);
    expect(await redeem(own)).toBe("ok");
  });

  it("counts a right code as wrong for a network that has no tries of it left", async () => {
    const fixture = createCodeFixture();
    const code = await fixture.issue();
    await guess(fixture, code, attacker(1), 2);
    fixture.wait(30 * second);
    await fixture.issue({ network: attacker(1) });
    expect(await fixture.redeem(code, { network: attacker(1) })).toBe("UNAUTHORIZED");
    expect(await countCodes(fixture, false)).toEqual({ codes: 2, tries: 3 });
  });
});
