import { type Context, commit, type Db } from "../database/index.ts";
import type { Mode, Runtime } from "../kernel/index.ts";
import { sha256 } from "../kernel/index.ts";
import { type Business, defaultSettings, type Location } from "./business.ts";
import { type ApiKey, type KeyKind, keyKinds, newKeyText } from "./key.ts";
import { keyRepo } from "./key-repo.ts";
import { locationRepo } from "./location-repo.ts";
import { businessRepo } from "./repo.ts";

export type NewBusiness = Readonly<{
  name: string;
  mode: Mode;
  currency: string;
  defaultCountry: string;
  timezone: string;
  organizationId: string | null;
}>;

/** The keys' texts: to be shown once, since only their hashes are kept. */
export type CreatedBusiness = Readonly<{
  business: Business;
  keys: Readonly<Record<KeyKind, string>>;
}>;

/**
 * Creates a business with its default location and one key of each kind, in one batch, on the
 * shard that holds the fewest (business-surface.md, Operator). The first business of an
 * organization founds it, and serves the keys of it that name no business.
 *
 * @param shards the names of the shop databases that take new businesses.
 * @param contextIn opens the new business's own database for the audit entry, which goes first
 *   (change-core.ts says why); absent where no call creates the business, as in tests.
 */
export async function createBusiness(
  {
    core,
    shards,
    contextIn,
    now,
    newId,
    random,
  }: Runtime & {
    core: Db;
    shards: readonly string[];
    contextIn?: (business: Business) => Context;
  },
  input: NewBusiness,
): Promise<CreatedBusiness> {
  const repo = businessRepo(core);
  const createdAt = now();
  const location = firstLocation(input, newId("loc"));
  const business: Business = {
    ...input,
    id: newId("biz"),
    shard: await repo.emptiestShard(shards),
    settings: defaultSettings,
    locations: [location],
    createdAt,
    updatedAt: createdAt,
  };
  const keys = keyKinds.map((kind) => ({
    text: newKeyText(kind, input.mode, random),
    key: firstKey(kind, business, newId("key")),
  }));
  const hashes = await Promise.all(keys.map(({ text }) => sha256(text)));
  if (contextIn) {
    const audit = [{ action: "business.created", entity: business.id, after: business }];
    await commit(contextIn(business), { writes: [], audit });
  }
  await core.batch([
    repo.foundOrganization(business),
    repo.insert(business),
    locationRepo(core, business.id).insert(location, createdAt),
    ...keys.map(({ key }, index) => keyRepo(core, key.owner).insert(key, hashes[index] ?? "")),
  ]);
  return { business, keys: textsByKind(keys) };
}

const firstLocation = ({ name, timezone }: NewBusiness, id: string): Location => ({
  id,
  name,
  address: null,
  timezone,
  operatingHours: {},
  closures: [],
  isDefault: true,
});

const firstKey = (kind: KeyKind, business: Business, id: string): ApiKey => ({
  id,
  kind,
  mode: business.mode,
  owner: { type: "business", id: business.id },
  scopes: kind === "secret" ? ["*"] : [],
  label: `First ${kind} key`,
  createdAt: business.createdAt,
  revokedAt: null,
  lastUsedAt: null,
});

function textsByKind(keys: readonly { text: string; key: ApiKey }[]): Record<KeyKind, string> {
  const textOf = (kind: KeyKind) => keys.find(({ key }) => key.kind === kind)?.text ?? "";
  return { publishable: textOf("publishable"), secret: textOf("secret"), deploy: textOf("deploy") };
}
