import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Business } from "../../shared/businesses/index.ts";
import {
  mostSpecificRates,
  placeOfTaxation,
  type TaxRate,
  taxTreatmentOf,
} from "../../shared/tax/index.ts";

const rate = (about: Partial<TaxRate>): TaxRate => ({
  ...{ id: "txr_1", taxClass: "standard", name: "VAT", country: "GH", region: null },
  ...{ postalCodePrefix: null, ratePercent: "15", appliesToDelivery: false, isActive: true },
  ...about,
});

const businessAt = (address: object | null): Business =>
  ({
    defaultCountry: "GH",
    locations: [
      { id: "loc_default", address: { country: "KE", region: "Nairobi", postalCode: null } },
      { id: "loc_other", address },
    ],
  }) as unknown as Business; // safe: the place depends on no other field

describe("the place of taxation", () => {
  const at = (address: Record<string, string | number | null> | null) =>
    placeOfTaxation(businessAt(null), { address, locationId: null });
  const nairobi = { country: "KE", regionKey: "NAIROBI", postalKey: "" };

  it("is the address of the delivery, compared without case and spaces", () => {
    expect(at({ country: "gb", region: " North  East", postal_code: "sw1a 1aa" })).toEqual({
      country: "GB",
      regionKey: "NORTHEAST",
      postalKey: "SW1A1AA",
    });
    expect(at({ country: "US", postal_code: 94105 })).toMatchObject({ postalKey: "94105" });
    expect(at({ country: "US", region: null })).toMatchObject({ regionKey: "" });
  });

  it("is in the business's country when the address names none", () => {
    expect(at({ region: "Volta" })).toMatchObject({ country: "GH", regionKey: "VOLTA" });
    expect(at({ country: "Ghana" })).toMatchObject({ country: "GH" });
  });

  it("is the order's location without an address, by default the default one", () => {
    expect(at(null)).toEqual(nairobi);
    expect(at({ street: "12 Ring Road", city: "Accra", region: " " })).toEqual(nairobi);
    const business = businessAt({ country: "NG", region: null, postalCode: "100 001" });
    const place = { address: null, locationId: "loc_other" };
    expect(placeOfTaxation(business, place)).toEqual({
      country: "NG",
      regionKey: "",
      postalKey: "100001",
    });
    expect(placeOfTaxation(businessAt(null), place)).toEqual(nairobi);
  });
});

const part = fc.constantFrom("1", "2", "a", "A", " ");
const text = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(""));
const textOrNull = fc.option(text, { nil: null });
const anyRate = fc.record({
  taxClass: fc.constantFrom("standard", "reduced"),
  name: fc.constantFrom("VAT", "vat", "GST"),
  country: fc.constantFrom("GH", "KE"),
  region: fc.constantFrom(null, "", "North", "NO RTH", "South"),
  postalCodePrefix: textOrNull,
  isActive: fc.boolean(),
});

const key = (value: string | null) => (value ?? "").split(" ").join("").toUpperCase();

/** Tries each prefix from the longest, with and without the region, for each class and name. */
function referenceRates(rates: readonly TaxRate[], place: ReturnType<typeof placeOfTaxation>) {
  const found: TaxRate[] = [];
  for (const taxClass of ["standard", "reduced"])
    for (const name of ["VAT", "GST"]) {
      const candidates = rates.filter(
        (one) => one.isActive && one.taxClass === taxClass && key(one.name) === name,
      );
      const levels = Array.from({ length: place.postalKey.length + 1 }, (_, at) =>
        place.postalKey.slice(0, place.postalKey.length - at),
      ).flatMap((prefix) => [
        { prefix, region: place.regionKey },
        { prefix, region: "" },
      ]);
      const level = levels
        .map(({ prefix, region }) =>
          candidates.find(
            (one) =>
              one.country === place.country &&
              key(one.postalCodePrefix) === prefix &&
              key(one.region) === region,
          ),
        )
        .find((one) => one !== undefined);
      if (level) found.push(level);
    }
  return found.map(({ id }) => id).sort();
}

describe("the rates of a place", () => {
  it("are the most specific of each class and name, as a plain search finds them", () => {
    const unique = fc
      .uniqueArray(anyRate, {
        maxLength: 30,
        selector: ({ taxClass, name, country, region, postalCodePrefix, isActive }) =>
          [taxClass, key(name), country, key(region), key(postalCodePrefix), isActive].join("|"),
      })
      .map((all) => all.map((about, at) => rate({ ...about, id: `txr_${100 + at}` })));
    const address = fc.record({
      country: fc.constantFrom("GH", "KE", "ke"),
      region: fc.constantFrom("", "north", "South", "West"),
      postal_code: text,
    });
    fc.assert(
      fc.property(unique, address, (rates, given) => {
        const place = placeOfTaxation(businessAt(null), { address: given, locationId: null });
        const ids = mostSpecificRates(rates, place).map(({ id }) => id);
        expect(ids).toEqual(referenceRates(rates, place));
      }),
      { numRuns: 500 },
    );
  });

  it("leave the class standard to the business's setting, and other classes without tax", () => {
    const setting = { ratePercent: "20", isInclusive: true };
    const standard = { name: "Tax", ratePercent: "20", taxClass: "standard" };
    const ratesWith = (rates: readonly TaxRate[], isExempt: boolean) => {
      const place = { country: "GH", regionKey: "", postalKey: "" };
      const read = rates.map((one) => ({ ...one, updatedAt: 1 }));
      return taxTreatmentOf({ place, rates: read, customerId: null, isExempt }, setting);
    };
    const reduced = rate({ taxClass: "reduced", ratePercent: "5", appliesToDelivery: true });
    expect(ratesWith([reduced], false)).toEqual({
      isInclusive: true,
      isExempt: false,
      rates: [
        { name: "VAT", ratePercent: "5", taxClass: "reduced", appliesToDelivery: true },
        { ...standard, appliesToDelivery: false },
      ],
    });
    expect(ratesWith([rate({ ratePercent: "0" })], true)).toMatchObject({
      isExempt: true,
      rates: [{ name: "VAT", ratePercent: "0" }],
    });
    expect(taxTreatmentOf(null, setting).rates).toMatchObject([standard]);
  });
});
