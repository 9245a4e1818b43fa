/** The short codes of mobile money providers in payment requests. */
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
 * The short code for a provider's name, in any case, with `_`, `-` or spaces between words; null
 * when unknown.
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
