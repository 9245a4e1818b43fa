import {
  type Context,
  commit,
  type Db,
  findFailedConstraint,
  type Write,
} from "../database/index.ts";
import {
  freeSlug,
  type Mode,
  type Runtime,
  sha256,
  slugCandidates,
  slugify,
} from "../kernel/index.ts";
import { type Business, defaultSettings, type Location, type Settings } from "./business.ts";
import { type ApiKey, generateKeyText, type KeyKind, keyKinds } from "./keys/key.ts";
import { keyRepo } from "./keys/key-repo.ts";
import { locationRepo } from "./location-repo.ts";
import { organizationRepo } from "./organization-repo.ts";
import type { PaymentOwner } from "./provider-accounts/payment-methods.ts";
import { businessRepo } from "./repo.ts";
import { slugTakenRefusal } from "./slug-refusal.ts";

export type NewBusiness = Readonly<{
  name: string;
  /** Left out, one is made from the name. */
  slug?: string | undefined;
  mode: Mode;
  currency: string;
  defaultCountry: string;
  timezone: string;
  organizationId: string | null;
  payments: PaymentOwner;
  /** Settings other than the defaults. */
  settings?: Partial<Settings> | undefined;
}>;

/**
 * The new business and the texts of its keys. Only the hashes of the keys are stored, so the texts
 * cannot be shown again.
 */
export type CreatedBusiness = Readonly<{
  business: Business;
  keys: Readonly<Record<KeyKind, string>>;
}>;

/**
 * Creates a business with its default location and one key of each kind, in one batch, on the shard
 * with the fewest businesses. The first business of an organization also creates the organization
 * and becomes its default business.
 *
 * @param shards the names of the shards that take new businesses.
 * @param contextFor opens the new business's shard for the audit entry, which is written first
 * (commit-to-core.ts says why). Omitted when no request creates the business, as in tests.
 */
export async function createBusiness(
  {
    core,
    shards,
    contextFor,
    writesFor = () => [],
    now,
    newId,
    randomBytes,
  }: Runtime & {
    core: Db;
    shards: readonly string[];
    contextFor?: (business: Business) => Context;
    /** What other areas store with the new business. */
    writesFor?: (business: Business) => readonly Write[];
  },
  input: NewBusiness,
): Promise<CreatedBusiness> {
  const repo = businessRepo(core);
  const organizations = organizationRepo(core);
  const createdAt = now();
  const location = newDefaultLocation(input, newId("loc"));
  const id = newId("biz");
  const slug = input.slug ?? slugify(input.name, "shop");
  const { shard, takenSlugs } = await repo.findForInsert({ shards, slug });
  if (input.slug !== undefined && takenSlugs.includes(slug)) throw slugTakenRefusal();
  const business: Business = {
    ...input,
    id,
    slug: freeSlug(slug, takenSlugs, id),
    shard,
    status: { type: "active" },
    settings: { ...defaultSettings, ...input.settings },
    locations: [location],
    providerAccounts: [],
    createdAt,
    updatedAt: createdAt,
  };
  const keys = keyKinds.map((kind) => ({
    text: generateKeyText(kind, input.mode, randomBytes),
    key: newFirstKey(kind, business, newId("key")),
  }));
  const hashes = await Promise.all(keys.map(({ text }) => sha256(text)));
  if (contextFor) {
    const audit = [{ action: "business.created", entity: business.id, after: business }];
    await commit(contextFor(business), { writes: [], audit });
  }
  const insert = (stored: Business) =>
    core.batch([
      organizations.insertIfMissing(stored),
      repo.insert(stored),
      organizations.assignDefaultBusinesses([stored]),
      locationRepo(core, id).insert(location, createdAt),
      ...keys.map(({ key }, index) => keyRepo(core, key.owner).insert(key, hashes[index] ?? "")),
      ...writesFor(stored),
    ]);
  const stored = await insertWithSlug(business, { input, insert });
  return { business: stored, keys: keyTextsByKind(keys) };
}

/**
 * Inserts the business. When another one took its slug meanwhile, a slug that was sent is refused,
 * and one that was made from the name gets the end of the business's id.
 */
async function insertWithSlug(
  business: Business,
  {
    input,
    insert,
  }: Readonly<{ input: NewBusiness; insert: (business: Business) => Promise<unknown> }>,
): Promise<Business> {
  try {
    await insert(business);
    return business;
  } catch (error) {
    if (findFailedConstraint(error) !== "businesses.slug") throw error;
    if (input.slug !== undefined) throw slugTakenRefusal();
    const slug = slugify(input.name, "shop");
    const renamed = { ...business, slug: freeSlug(slug, slugCandidates(slug), business.id) };
    await insert(renamed);
    return renamed;
  }
}

const newDefaultLocation = ({ name, timezone }: NewBusiness, id: string): Location => ({
  id,
  name,
  address: null,
  timezone,
  operatingHours: {},
  closures: [],
  isDefault: true,
  offersPickup: false,
  pickupInstructions: null,
});

const newFirstKey = (kind: KeyKind, business: Business, id: string): ApiKey => ({
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

function keyTextsByKind(keys: readonly { text: string; key: ApiKey }[]): Record<KeyKind, string> {
  const textOf = (kind: KeyKind) => keys.find(({ key }) => key.kind === kind)?.text ?? "";
  return { publishable: textOf("publishable"), secret: textOf("secret"), deploy: textOf("deploy") };
}
