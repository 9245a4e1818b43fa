export type DescribedParameter = Readonly<{
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: object;
}>;

/** The request headers of operations, other than their credential and the Idempotency-Key. */
export const headerParameters = {
  businessId: {
    name: "X-Business-Id",
    in: "header",
    required: false,
    description:
      "The business that the call is for. Required with a member's cookie. Left out with an organization's key, it is the organization's default business.",
    schema: { type: "string" },
  },
  entityTag: {
    name: "If-None-Match",
    in: "header",
    required: false,
    description:
      "The ETag of an earlier response. The response is 304 without a body while it has not changed.",
    schema: { type: "string" },
  },
} as const satisfies Readonly<Record<string, DescribedParameter>>;

/** What the parameters of that name mean, wherever they occur. */
const descriptions: Readonly<Record<string, string>> = {
  actor: "Who made the change: the id of a key, or a kind of actor.",
  after: "Only what came after this time.",
  category_slug: "The slug of a category. Products of its subcategories count too.",
  city: "The city of the address.",
  country: "The country of the address, by its ISO 3166 code.",
  coupon_code: "The code, in any case.",
  cursor: "The `next_cursor` of the page before. Left out, the list begins.",
  customer: "The customer's id, or a part of the name, the e-mail address or the phone number.",
  date: "The day, in the time zone of the location.",
  dry_run: "Whether to check the file only, without changing anything.",
  duration_minutes: "The length of the slot. Left out, it is the service's own.",
  end_date: "The last day.",
  entity: "The id of the record that was changed.",
  featured: "Only products that are featured, or that are not.",
  folder: "Only assets in this folder.",
  from: "The beginning, as an instant or a day. In an exchange rate, the currency to change from.",
  id: "The id of the record.",
  in_stock: "Only products that are in stock, or that are not.",
  interval: "The length of the periods that are reported.",
  limit: "The most records of one page.",
  ids: "Only the records of these ids, separated by commas.",
  unread: "Only conversations with unread messages.",
  low_stock: "Only levels at or below their low-stock threshold.",
  max_price: "The highest price.",
  mime_prefix: "Only assets whose content type begins with this.",
  min_price: "The lowest price.",
  name: "Only messages of this name.",
  offset: "How many records to leave out.",
  order_value: "The value of the order, which a plan's minimum is compared with.",
  origin: "The origin of the page that embeds the frame.",
  page: "The number of the page, from 1.",
  participant_count: "How many people the slot is for.",
  payment_status: "Only orders with this payment status.",
  postal_code: "The postal code of the address.",
  product_or_variant_id: "The product's id, or a variant's id where stock is counted by variant.",
  properties: "Attributes with their values, as JSON.",
  public_key: "The publishable key, for pages that a browser opens without headers.",
  quantity: "How many units.",
  region: "The region of the address.",
  search: "Words that the records contain.",
  slot_time: "When the slot starts.",
  sort_by: "What the list is sorted by.",
  sort_order: "The direction of the list.",
  start_date: "The first day.",
  status: "Only records with this status.",
  tags: "Only products with these tags, separated by commas.",
  tax_class_code: "The code of the tax class.",
  taxonomy_id: "The id of a category or a collection.",
  thread_id: "The id of the conversation.",
  to: "The end, as an instant or a day. In an exchange rate, the currency to change to.",
  shop: "The slug or the id of a business.",
  token: "A token of the order, for callers without the session that placed it.",
  when: "Only bookings that are to come, or that are over.",
};

/** The parameter with a description: its own, that of its name, or that of the record it names. */
export function describeParameter(parameter: DescribedParameter): DescribedParameter {
  const description = parameter.description ?? descriptionOf(parameter);
  return description === undefined ? parameter : { ...parameter, description };
}

function descriptionOf({ name, in: place, schema }: DescribedParameter): string | undefined {
  const own: unknown = Object(schema).description;
  if (typeof own === "string") return own;
  const known = descriptions[name];
  if (known !== undefined) return known;
  const noun = /^(\w+)_id$/.exec(name)?.[1]?.replaceAll("_", " ");
  if (noun === undefined) return undefined;
  return place === "path"
    ? `The id of the ${noun}.`
    : `Only what belongs to the ${noun} of this id.`;
}
