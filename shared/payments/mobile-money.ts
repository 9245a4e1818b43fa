/** The short codes of mobile money providers, as payment requests contain them. */
export const mobileMoneyProviders = ["mtn", "vod", "atl", "mpesa"] as const;
export type MobileMoneyProvider = (typeof mobileMoneyProviders)[number];

const spellings: ReadonlyMap<string, MobileMoneyProvider> = new Map([
  ...spellingsOf("mtn", ["mtn", "mtn momo"]),
  ...spellingsOf("vod", ["vod", "vodafone", "vodafone cash", "telecel", "telecel cash"]),
  ...spellingsOf("atl", [
    "atl",
    "airtel",
    "airtel money",
    "airteltigo",
    "airtel tigo",
    "tigo",
    "at",
  ]),
  ...spellingsOf("mpesa", ["mpesa", "m pesa", "safaricom"]),
]);

/**
 * Finds the short code for a provider's name; null for an unknown name. Case does not matter, and
 * words may be separated by `_`, `-` or spaces.
 */
export const mobileMoneyProvider = (spelling: string): MobileMoneyProvider | null =>
  spellings.get(
    spelling
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, " "),
  ) ?? null;

function spellingsOf(
  code: MobileMoneyProvider,
  accepted: readonly string[],
): [string, MobileMoneyProvider][] {
  return accepted.map((spelling) => [spelling, code]);
}
