import { comparableText, invalid, prefixesOf, utf8Bytes } from "../../kernel/index.ts";

/**
 * A part of the world that a zone delivers to. With regions and prefixes, it is where both match;
 * without either, it is the whole country.
 */
export type DeliveryArea = Readonly<{
  /** An ISO 3166 alpha-2 code. */
  country: string;
  regions: readonly string[];
  postalCodePrefixes: readonly string[];
}>;

/** Where something is delivered to, as far as it is known. */
export type DeliveryPlace = Readonly<{
  country: string;
  region: string | null;
  postalCode: string | null;
}>;

/** One combination of an area; an empty region or prefix stands for any. */
export type AreaKey = Readonly<{ country: string; region: string; postalPrefix: string }>;

export const areaLimits = {
  areas: 500,
  /** The length of a prefix, and of the postal code of an address. */
  postalCodeLength: 20,
  regionLength: 100,
  /** The combinations of regions and prefixes in all areas of a zone. */
  keys: 10_000,
  /** An audit entry holds the areas before and after a change, in one row of at most 2 MB. */
  bytes: 500_000,
} as const;

/**
 * The combinations that these areas claim, each once.
 *
 * @throws Refusal VALIDATION_ERROR naming `areas` for more than a zone may have.
 */
export function areaKeysOf(areas: readonly DeliveryArea[]): AreaKey[] {
  const count = areas.reduce(
    (sum, { regions, postalCodePrefixes }) =>
      sum + Math.max(regions.length, 1) * Math.max(postalCodePrefixes.length, 1),
    0,
  );
  if (count > areaLimits.keys) {
    throw invalid("areas", `make ${count} combinations; a zone has at most ${areaLimits.keys}.`);
  }
  if (utf8Bytes(JSON.stringify(areas)) > areaLimits.bytes) {
    throw invalid("areas", `must be at most ${areaLimits.bytes} bytes of JSON.`);
  }
  const keys = areas.flatMap(({ country, regions, postalCodePrefixes }) =>
    comparableTexts(regions).flatMap((region) =>
      comparableTexts(postalCodePrefixes).map((postalPrefix) => ({
        country,
        region,
        postalPrefix,
      })),
    ),
  );
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
}

const comparableTexts = (texts: readonly string[]): string[] =>
  texts.length === 0 ? [""] : texts.map(comparableText);

/**
 * The combinations that cover a place, the most specific first: by the longest prefix, then with
 * the region before without it.
 */
export function areaKeysCovering({ country, region, postalCode }: DeliveryPlace): AreaKey[] {
  const ownRegion = comparableText(region);
  const regions = ownRegion === "" ? [""] : [ownRegion, ""];
  const prefixes = prefixesOf(comparableText(postalCode), areaLimits.postalCodeLength);
  return prefixes.flatMap((postalPrefix) =>
    regions.map((own) => ({ country, region: own, postalPrefix })),
  );
}
