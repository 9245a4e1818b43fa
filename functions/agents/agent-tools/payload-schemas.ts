// What agents send to the protocol's tools, as JSON Schema: the fields of both releases that have an
// effect here. Other fields are allowed, because an extension of the protocol may add some.

const text = (description: string) => ({ type: "string", description });
const object = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const list = (items: object, description?: string) => ({
  type: "array",
  items,
  ...(description !== undefined && { description }),
});

const address = {
  first_name: text("The first name of the contact."),
  last_name: text("The last name of the contact."),
  phone_number: text("The contact's phone number in E.164."),
  street_address: text("The street and number."),
  extended_address: text("An addition, such as an apartment."),
  address_locality: text("The city."),
  address_region: text("The state, region or county."),
  postal_code: text("The postal code."),
  address_country: text("The country as ISO 3166-1 alpha-2, such as GH."),
};

const context = {
  ...object({
    address_country: address.address_country,
    address_region: address.address_region,
    postal_code: address.postal_code,
    language: text("A language tag, such as en."),
    currency: text("The currency of price filters, such as GHS."),
    intent: text("What the buyer looks for, in words."),
  }),
  description: "Hints about the buyer's market. An address of the buyer counts more.",
};

const signals = {
  type: "object",
  description: "What the platform observed of the buyer, such as dev.ucp.buyer_ip.",
};

const attribution = {
  type: "object",
  additionalProperties: { type: "string" },
  description: "Where the purchase came from, such as utm_source.",
};

const buyer = object({
  first_name: text("The buyer's first name."),
  last_name: text("The buyer's last name."),
  email: text("The buyer's e-mail address."),
  phone_number: text("The buyer's phone number in E.164."),
  consent: {
    type: "object",
    description: "What the buyer consents to, as buyer_consent describes it.",
  },
});

const discounts = object({
  codes: list(text("A code."), "All codes that apply. An empty list removes them."),
});

const lineItem = object(
  {
    id: text("The id of an existing line, in an update."),
    item: object(
      { id: text("The id of a variant, from the catalogue, or of a product without variants.") },
      ["id"],
    ),
    quantity: { type: "integer", minimum: 1 },
  },
  ["item", "quantity"],
);

const fulfillmentMethod = object({
  id: text("The id of an existing method, in an update."),
  type: text("shipping or pickup."),
  line_item_ids: list(text("The id of a line."), "The lines that the method is for."),
  destinations: list(
    object({
      id: text("The id of an existing destination."),
      type: text("shipping_address or business_location."),
      ...address,
    }),
    "The addresses to ship to.",
  ),
  selected_destination_id: { type: ["string", "null"] },
  groups: list(
    object({
      id: text("The id of a group of the checkout."),
      selected_option_id: { type: ["string", "null"] },
    }),
    "The option that is chosen for each group.",
  ),
});

const paymentInstrument = object(
  {
    id: text("A name of your choice for the instrument."),
    handler_id: text("The id of a handler in the checkout's ucp.payment_handlers."),
    type: text("The type of instrument that the handler names."),
    selected: { type: "boolean" },
    billing_address: object(address),
    credential: {
      ...object({ type: text("The type of credential that the handler names.") }, ["type"]),
      description: "What the handler needs to charge. It is never stored or sent back.",
    },
  },
  ["id", "handler_id", "type"],
);

const payment = object({ instruments: list(paymentInstrument) });

const selectedOption = object(
  {
    name: text("The name of an option, such as Size."),
    id: text("The id of the value, where the product has one."),
    label: text("The label of the value, such as L."),
  },
  ["name", "label"],
);

const filters = object({
  categories: list(text("A category."), "Products in any of the categories."),
  price: object({
    min: { type: "integer", description: "In minor units." },
    max: { type: "integer", description: "In minor units." },
  }),
});

export const searchPayload = object({
  query: text("What to search for. Needed unless filters are sent."),
  filters,
  pagination: object({
    cursor: text("The cursor of the page before."),
    limit: { type: "integer", minimum: 1, default: 10 },
  }),
  context,
  signals,
  attribution,
});

export const lookupPayload = object(
  {
    ids: { ...list(text("The id of a product or a variant.")), minItems: 1 },
    filters,
    context,
    signals,
    attribution,
  },
  ["ids"],
);

export const productPayload = object(
  {
    id: text("The id of a product or a variant."),
    selected: list(selectedOption, "The options that are chosen so far."),
    preferences: list(text("The name of an option."), "Options, the most important first."),
    filters,
    context,
    signals,
    attribution,
  },
  ["id"],
);

export const cartPayload = object(
  { line_items: list(lineItem), buyer, discounts, context, signals, attribution },
  ["line_items"],
);

const checkoutFields = {
  line_items: list(lineItem),
  buyer,
  discounts,
  fulfillment: object({ methods: list(fulfillmentMethod) }),
  payment,
  context,
  signals,
  attribution,
};

export const newCheckoutPayload = object({
  ...checkoutFields,
  cart_id: text("The id of a cart that becomes this checkout. Its lines and its buyer count."),
});

export const checkoutPayload = object(checkoutFields, ["line_items"]);

export const completionPayload = object({ payment, signals, attribution }, ["payment"]);
