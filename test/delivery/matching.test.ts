import fc from "fast-check";
import { expect, it } from "vitest";
import type { DeliveryArea } from "../../shared/delivery/index.ts";
import { createDeliveryMethod } from "../support/create-delivery.ts";
import { createBusiness, dataOf, merchant, shopper } from "../support/world.ts";

type Destination = Readonly<{ country: string; region: string; postalCode: string }>;

const countries = ["GH", "NG"];
const regions = ["Volta", "VOLTA ", "Greater Accra", "GREATER accra", "Ash anti"];
const codes = ["1", "12", "1 2", "12A", "12 ab", "2", "2a", "12345"];

const areas: fc.Arbitrary<DeliveryArea> = fc.record({
  country: fc.constantFrom(...countries),
  regions: fc.uniqueArray(fc.constantFrom(...regions), { maxLength: 2 }),
  postalCodePrefixes: fc.uniqueArray(fc.constantFrom(...codes), { maxLength: 3 }),
});

const places: fc.Arbitrary<Destination> = fc.record({
  country: fc.constantFrom(...countries, "TG"),
  region: fc.constantFrom("", "Elsewhere", ...regions),
  postalCode: fc.constantFrom("", "9", "12abc", " 1 2 A", ...codes),
});

const plain = (text: string) =>
  [...text]
    .filter((sign) => sign !== " ")
    .join("")
    .toLowerCase();

/** The combinations of an area as text, in the plainest way. */
const claimsOf = (area: DeliveryArea): string[] =>
  (area.regions.length > 0 ? area.regions : [""]).flatMap((region) =>
    (area.postalCodePrefixes.length > 0 ? area.postalCodePrefixes : [""]).map(
      (prefix) => `${area.country} ${plain(region)} ${plain(prefix)}`,
    ),
  );

/** How well an area covers a place: higher wins; null when it does not cover it. */
function fitOf(area: DeliveryArea, place: Destination): number | null {
  if (area.country !== place.country) return null;
  const isInRegion = area.regions.some((region) => plain(region) === plain(place.region));
  if (area.regions.length > 0 && !isInRegion) return null;
  const lengths = area.postalCodePrefixes
    .map(plain)
    .filter((prefix) => plain(place.postalCode).startsWith(prefix))
    .map((prefix) => prefix.length);
  if (area.postalCodePrefixes.length > 0 && lengths.length === 0) return null;
  return 2 * Math.max(0, ...lengths) + (area.regions.length > 0 ? 1 : 0);
}

it("agrees with a plain search of all areas about overlaps and the zone of a place", async () => {
  const zone = fc.record({
    areas: fc.array(areas, { minLength: 1, maxLength: 3 }),
    isOfSpare: fc.boolean(),
  });
  const cases = fc.record({
    zones: fc.array(zone, { minLength: 4, maxLength: 8 }),
    places: fc.array(places, { minLength: 12, maxLength: 12 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async (input) => {
      const shop = await createBusiness();
      const manage = merchant(shop);
      const spare = dataOf(await manage("POST", "/locations", { body: { name: "Spare" } })).id;
      const kept: (typeof input.zones)[number][] = [];
      for (const candidate of input.zones) {
        const taken = new Set(kept.flatMap((one) => one.areas.flatMap(claimsOf)));
        const overlaps = candidate.areas.flatMap(claimsOf).some((claim) => taken.has(claim));
        const answer = await manage("POST", "/delivery/zones", {
          body: {
            name: `${kept.length}`,
            areas: candidate.areas.map(({ postalCodePrefixes, ...area }) => ({
              ...area,
              postal_code_prefixes: postalCodePrefixes,
            })),
            location_ids: candidate.isOfSpare ? [spare] : null,
          },
        });
        expect(answer.status).toBe(overlaps ? 422 : 201);
        if (overlaps) continue;
        await createDeliveryMethod(shop, { zoneId: dataOf(answer).id, name: `${kept.length}` });
        kept.push(candidate);
      }
      const ask = shopper(shop);
      for (const place of input.places) {
        const fits = kept.map((one) =>
          Math.max(...one.areas.map((area) => fitOf(area, place) ?? -1)),
        );
        const best = Math.max(-1, ...fits);
        const expected = best < 0 ? [] : [`${fits.indexOf(best)}`];
        const query = new URLSearchParams({
          country: place.country,
          region: place.region,
          postal_code: place.postalCode,
        });
        const found: { name: string; location_id: string }[] = dataOf(
          await ask("GET", `/delivery/options?${query}`),
        );
        expect(found.map(({ name }) => name)).toEqual(expected);
        const isOfSpare = kept[Number(found[0]?.name)]?.isOfSpare;
        if (found[0]) expect(found[0].location_id === spare).toBe(isOfSpare);
      }
    }),
    { numRuns: 6 },
  );
});
