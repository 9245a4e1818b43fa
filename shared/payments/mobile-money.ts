/** The short codes that payment requests bear (interface.md, Link API). */
export const mobileMoneyProviders = ["mtn", "vod", "atl", "mpesa"] as const;
export type MobileMoneyProvider = (typeof mobileMoneyProviders)[number];

const spellings: ReadonlyMap<string, MobileMoneyProvider> = new Map([
  ...names("mtn", ["mtn", "mtn momo"]),
  ...names("vod", ["vod", "vodafone", "vodafone cash", "telecel", "telecel cash"]),
  ...names("atl", ["atl", "airtel", "airtel money", "airteltigo", "airtel tigo", "tigo", "at"]),
  ...names("mpesa", ["mpesa", "m pesa", "safaricom"]),
]);

/** A provider's spelling as its short code, in any case, with `_`, `-` or space between words; null when unknown. */
export const mobileMoneyProvider = (spelling: string): MobileMoneyProvider | null =>
  spellings.get(
    spelling
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, " "),
  ) ?? null;

function names(
  code: MobileMoneyProvider,
  accepted: readonly string[],
): [string, MobileMoneyProvider][] {
  return accepted.map((spelling) => [spelling, code]);
}
