// Generated from the OpenAPI document by `npm run generate`. Not edited by hand.

import type { CallOptions, DataOf, InputOf, ItemOf, List, Result } from "../runtime/types.ts";
import type { operations } from "./business-types.ts";

export const businessRoutes = {
  business: {
    get: "GET ",
    update: "PATCH  body key",
  },
  members: {
    list: "GET /members? cursor",
    invite: "POST /members body key",
    get: "GET /members/{}",
    update: "PATCH /members/{} body key",
    remove: "DELETE /members/{} key",
  },
  messages: {
    list: "GET /messages? cursor",
    getSettings: "GET /messages/settings",
    updateSettings: "PATCH /messages/settings body key",
    retry: "POST /messages/{}/retry key",
    listTemplates: "GET /messages/templates",
    getTemplate: "GET /messages/templates/{}",
    updateTemplate: "PATCH /messages/templates/{} body key",
    previewTemplate: "POST /messages/templates/{}/preview body key",
    sendTest: "POST /messages/templates/{}/send-test body key",
  },
  paymentProviders: {
    list: "GET /payment-providers",
    connect: "PUT /payment-providers/{} body key",
    disconnect: "DELETE /payment-providers/{} key",
  },
  keys: {
    list: "GET /keys? cursor",
    create: "POST /keys body key",
    get: "GET /keys/{}",
    revoke: "DELETE /keys/{} key",
  },
  agents: {
    rotateKey: "POST /agent-keys/rotate body key",
  },
  domains: {
    list: "GET /domains? cursor",
    add: "POST /domains body key",
    verify: "POST /domains/{}/verify key",
    remove: "DELETE /domains/{} key",
  },
  locations: {
    list: "GET /locations? cursor",
    create: "POST /locations body key",
    get: "GET /locations/{}",
    update: "PATCH /locations/{} body key",
    archive: "DELETE /locations/{} key",
  },
  tax: {
    listClasses: "GET /tax/classes? cursor",
    createClass: "POST /tax/classes body key",
    getClass: "GET /tax/classes/{}",
    updateClass: "PATCH /tax/classes/{} body key",
    archiveClass: "DELETE /tax/classes/{} key",
    listRates: "GET /tax/rates? cursor",
    createRate: "POST /tax/rates body key",
    getRate: "GET /tax/rates/{}",
    updateRate: "PATCH /tax/rates/{} body key",
    archiveRate: "DELETE /tax/rates/{} key",
  },
  delivery: {
    listZones: "GET /delivery/zones? cursor",
    createZone: "POST /delivery/zones body key",
    getZone: "GET /delivery/zones/{}",
    updateZone: "PATCH /delivery/zones/{} body key",
    archiveZone: "DELETE /delivery/zones/{} key",
    listMethods: "GET /delivery/methods? cursor",
    createMethod: "POST /delivery/methods body key",
    getMethod: "GET /delivery/methods/{}",
    updateMethod: "PATCH /delivery/methods/{} body key",
    archiveMethod: "DELETE /delivery/methods/{} key",
  },
  audit: {
    list: "GET /audit? cursor",
  },
  products: {
    list: "GET /products? cursor",
    create: "POST /products body key",
    changeStatuses: "POST /products/bulk-status body key",
    get: "GET /products/{}",
    update: "PATCH /products/{} body key",
    archive: "DELETE /products/{} key",
    getVariant: "GET /products/{}/variants/{}",
    updateVariant: "PATCH /products/{}/variants/{} body key",
    removeVariant: "DELETE /products/{}/variants/{} key",
    getAddOnOption: "GET /products/{}/add-ons/{}/options/{}",
    updateAddOnOption: "PATCH /products/{}/add-ons/{}/options/{} body key",
    removeAddOnOption: "DELETE /products/{}/add-ons/{}/options/{} key",
    addImage: "POST /products/{}/images form key",
    getImage: "GET /products/{}/images/{}",
    updateImage: "PATCH /products/{}/images/{} body key",
    removeImage: "DELETE /products/{}/images/{} key",
    import: "POST /imports?dry_run csv key",
    export: "GET /exports/products",
  },
  categories: {
    list: "GET /categories? cursor",
    create: "POST /categories body key",
    get: "GET /categories/{}",
    update: "PATCH /categories/{} body key",
    archive: "DELETE /categories/{} key",
  },
  collections: {
    list: "GET /collections? cursor",
    create: "POST /collections body key",
    get: "GET /collections/{}",
    update: "PATCH /collections/{} body key",
    archive: "DELETE /collections/{} key",
  },
  attributes: {
    list: "GET /attributes? cursor",
    create: "POST /attributes body key",
    get: "GET /attributes/{}",
    update: "PATCH /attributes/{} body key",
    archive: "DELETE /attributes/{} key",
  },
  billingPlans: {
    list: "GET /billing-plans? cursor",
    create: "POST /billing-plans body key",
    get: "GET /billing-plans/{}",
    update: "PATCH /billing-plans/{} body key",
    archive: "DELETE /billing-plans/{} key",
  },
  bundles: {
    list: "GET /bundles? cursor",
    create: "POST /bundles body key",
    get: "GET /bundles/{}",
    update: "PATCH /bundles/{} body key",
    archive: "DELETE /bundles/{} key",
  },
  composites: {
    list: "GET /composites? cursor",
    create: "POST /composites body key",
    get: "GET /composites/{}",
    update: "PATCH /composites/{} body key",
    archive: "DELETE /composites/{} key",
  },
  deals: {
    list: "GET /deals? cursor",
    create: "POST /deals body key",
    get: "GET /deals/{}",
    update: "PATCH /deals/{} body key",
    archive: "DELETE /deals/{} key",
  },
  inventory: {
    setStockLevel: "PUT /inventory/{}/locations/{} body key",
    adjustStockLevel: "POST /inventory/{}/locations/{}/adjustments body key",
    listStockMovements: "GET /inventory/{}/locations/{}/movements? cursor",
    listStockLevels: "GET /inventory? cursor",
  },
  orders: {
    list: "GET /orders? cursor",
    export: "GET /orders/export?",
    changeStatuses: "POST /orders/bulk-status body key",
    get: "GET /orders/{}",
    update: "PATCH /orders/{} body key",
    listNotes: "GET /orders/{}/notes? cursor",
    addNote: "POST /orders/{}/notes body key",
    changeStatus: "POST /orders/{}/status body key",
    cancel: "POST /orders/{}/cancel body key",
    refund: "POST /orders/{}/refunds body key",
    markRefundPaid: "POST /orders/{}/refunds/{}/mark-paid key",
    createPaymentLink: "POST /orders/{}/payment-link key",
    markPaid: "POST /orders/{}/payments/mark-paid body key",
    listShipments: "GET /orders/{}/shipments? cursor",
    createShipment: "POST /orders/{}/shipments body key",
    updateShipment: "PATCH /orders/{}/shipments/{} body key",
  },
  subscriptions: {
    list: "GET /subscriptions? cursor",
    get: "GET /subscriptions/{}",
    cancel: "POST /subscriptions/{}/cancel body key",
  },
  customers: {
    list: "GET /customers? cursor",
    create: "POST /customers body key",
    export: "GET /customers/export?",
    update: "PATCH /customers/{} body key",
    get: "GET /customers/{}",
    listNotes: "GET /customers/{}/notes? cursor",
    addNote: "POST /customers/{}/notes body key",
    exportData: "GET /customers/{}/data",
    eraseData: "DELETE /customers/{}/data key",
  },
  customerGroups: {
    list: "GET /customer-groups? cursor",
    create: "POST /customer-groups body key",
    get: "GET /customer-groups/{}",
    update: "PATCH /customer-groups/{} body key",
    archive: "DELETE /customer-groups/{} key",
  },
  reports: {
    getSales: "GET /reports/sales?",
    getTax: "GET /reports/tax?",
    getCustomers: "GET /reports/customers? cursor",
    getStock: "GET /reports/stock? cursor",
    getToday: "GET /today",
  },
  conversations: {
    list: "GET /conversations? cursor",
    get: "GET /conversations/{}?",
    sendMessage: "POST /conversations/{}/messages body key",
    markRead: "POST /conversations/{}/read body key",
    close: "POST /conversations/{}/close key",
    createTicket: "POST /conversations/{}/ticket key",
  },
  services: {
    list: "GET /services? cursor",
    create: "POST /services body key",
    get: "GET /services/{}",
    update: "PATCH /services/{} body key",
    archive: "DELETE /services/{} key",
    listSlots: "GET /services/{}/slots?",
  },
  bookings: {
    list: "GET /bookings? cursor",
    create: "POST /bookings body key",
    changeStatus: "POST /bookings/{}/status body key",
    cancel: "POST /bookings/{}/cancel body key",
    reschedule: "POST /bookings/{}/reschedule body key",
  },
  staff: {
    list: "GET /staff? cursor",
    create: "POST /staff body key",
    get: "GET /staff/{}",
    update: "PATCH /staff/{} body key",
    archive: "DELETE /staff/{} key",
  },
  resources: {
    list: "GET /resources? cursor",
    create: "POST /resources body key",
    get: "GET /resources/{}",
    update: "PATCH /resources/{} body key",
    archive: "DELETE /resources/{} key",
  },
  importsAndExports: {
    createExport: "POST /exports key",
    listExports: "GET /exports? cursor",
    getExport: "GET /exports/{}",
    getExportFile: "GET /exports/{}/file",
    importBusiness: "POST /imports/business ndjson key",
    getBusinessImport: "GET /imports/business/{}",
  },
  assets: {
    startUpload: "POST /assets/init body key",
    confirm: "POST /assets/confirm body key",
    list: "GET /assets? page",
    get: "GET /assets/{}",
    delete: "DELETE /assets/{} key",
  },
} as const;

export interface BusinessMethods {
  readonly business: Readonly<{
    /**
     * Get the business and its settings.
     */
    get: (options?: CallOptions) => Promise<Result<DataOf<operations["getBusiness"]>>>;
    /**
     * Update the business's name and settings, and its organization as the operator.
     */
    update: (input: InputOf<operations["updateBusiness"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateBusiness"]>>>;
  }>;
  readonly members: Readonly<{
    /**
     * List members and open invitations, newest first.
     */
    list: (input?: InputOf<operations["listMembers"]>, options?: CallOptions) => List<ItemOf<operations["listMembers"]>, DataOf<operations["listMembers"]>>;
    /**
     * Invite a person by e-mail, as the merchant or the operator.
     *
     * An address that was invited before keeps its record.
     */
    invite: (input: InputOf<operations["inviteMember"]>, options?: CallOptions) => Promise<Result<DataOf<operations["inviteMember"]>>>;
    /**
     * Get a member or an open invitation.
     */
    get: (memberId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getMember"]>>>;
    /**
     * Change a member's role.
     *
     * It takes effect within 10 seconds.
     */
    update: (memberId: string, input: InputOf<operations["updateMember"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateMember"]>>>;
    /**
     * Remove a member, or withdraw an invitation.
     *
     * Access ends within 10 seconds.
     */
    remove: (memberId: string, options?: CallOptions) => Promise<Result<DataOf<operations["removeMember"]>>>;
  }>;
  readonly messages: Readonly<{
    /**
     * List the messages of the last 90 days, newest first.
     */
    list: (input?: InputOf<operations["listMessages"]>, options?: CallOptions) => List<ItemOf<operations["listMessages"]>, DataOf<operations["listMessages"]>>;
    /**
     * Get how messages are sent.
     */
    getSettings: (options?: CallOptions) => Promise<Result<DataOf<operations["getMessageSettings"]>>>;
    /**
     * Change how messages are sent.
     */
    updateSettings: (input: InputOf<operations["updateMessageSettings"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateMessageSettings"]>>>;
    /**
     * Send a failed message again.
     */
    retry: (messageId: string, options?: CallOptions) => Promise<Result<DataOf<operations["retryMessage"]>>>;
    /**
     * List the templates of all messages.
     */
    listTemplates: (options?: CallOptions) => Promise<Result<DataOf<operations["listMessageTemplates"]>>>;
    /**
     * Get a template with its variables.
     */
    getTemplate: (templateName: string, options?: CallOptions) => Promise<Result<DataOf<operations["getMessageTemplate"]>>>;
    /**
     * Change a template.
     *
     * Null brings the built-in text back.
     */
    updateTemplate: (templateName: string, input: InputOf<operations["updateMessageTemplate"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateMessageTemplate"]>>>;
    /**
     * Show a template with example data.
     *
     * Texts in the body are shown without saving them.
     */
    previewTemplate: (templateName: string, input: InputOf<operations["previewMessageTemplate"]>, options?: CallOptions) => Promise<Result<DataOf<operations["previewMessageTemplate"]>>>;
    /**
     * Send a template with example data by e-mail.
     */
    sendTest: (templateName: string, input: InputOf<operations["sendTestMessage"]>, options?: CallOptions) => Promise<Result<DataOf<operations["sendTestMessage"]>>>;
  }>;
  readonly paymentProviders: Readonly<{
    /**
     * List the connected accounts, without their keys.
     */
    list: (options?: CallOptions) => Promise<Result<DataOf<operations["listPaymentProviders"]>>>;
    /**
     * Connect an account, or replace its keys.
     *
     * The provider is asked about the keys before they are stored.
     */
    connect: (provider: string, input: InputOf<operations["connectPaymentProvider"]>, options?: CallOptions) => Promise<Result<DataOf<operations["connectPaymentProvider"]>>>;
    /**
     * Disconnect an account.
     *
     * It takes no new payments. Refunds and renewals of its payments go on.
     */
    disconnect: (provider: string, options?: CallOptions) => Promise<Result<DataOf<operations["disconnectPaymentProvider"]>>>;
  }>;
  readonly keys: Readonly<{
    /**
     * List keys, including revoked ones, newest first.
     */
    list: (input?: InputOf<operations["listKeys"]>, options?: CallOptions) => List<ItemOf<operations["listKeys"]>, DataOf<operations["listKeys"]>>;
    /**
     * Create a key, as the merchant or the operator.
     *
     * Only this response contains its text.
     */
    create: (input: InputOf<operations["createKey"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createKey"]>>>;
    /**
     * Get a key, which may be revoked.
     */
    get: (keyId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getKey"]>>>;
    /**
     * Revoke a key.
     *
     * It stops working within 10 seconds.
     */
    revoke: (keyId: string, options?: CallOptions) => Promise<Result<DataOf<operations["revokeKey"]>>>;
  }>;
  readonly agents: Readonly<{
    /**
     * Replace the key that signs for agents.
     */
    rotateKey: (input: InputOf<operations["rotateAgentKey"]>, options?: CallOptions) => Promise<Result<DataOf<operations["rotateAgentKey"]>>>;
  }>;
  readonly domains: Readonly<{
    /**
     * List domains, oldest first.
     */
    list: (input?: InputOf<operations["listDomains"]>, options?: CallOptions) => List<ItemOf<operations["listDomains"]>, DataOf<operations["listDomains"]>>;
    /**
     * Add a domain, which leads to the shop once it is verified.
     */
    add: (input: InputOf<operations["addDomain"]>, options?: CallOptions) => Promise<Result<DataOf<operations["addDomain"]>>>;
    /**
     * Look for the domain's DNS record now.
     */
    verify: (domainId: string, options?: CallOptions) => Promise<Result<DataOf<operations["verifyDomain"]>>>;
    /**
     * Remove a domain.
     *
     * It leads nowhere within 10 seconds.
     */
    remove: (domainId: string, options?: CallOptions) => Promise<Result<DataOf<operations["removeDomain"]>>>;
  }>;
  readonly locations: Readonly<{
    /**
     * List locations, oldest first.
     */
    list: (input?: InputOf<operations["listLocations"]>, options?: CallOptions) => List<ItemOf<operations["listLocations"]>, DataOf<operations["listLocations"]>>;
    /**
     * Create a location.
     */
    create: (input: InputOf<operations["createLocation"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createLocation"]>>>;
    /**
     * Get a location.
     */
    get: (locationId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getLocation"]>>>;
    /**
     * Update a location.
     */
    update: (locationId: string, input: InputOf<operations["updateLocation"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateLocation"]>>>;
    /**
     * Archive a location.
     */
    archive: (locationId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveLocation"]>>>;
  }>;
  readonly tax: Readonly<{
    /**
     * List tax classes in the order of their codes.
     */
    listClasses: (input?: InputOf<operations["listTaxClasses"]>, options?: CallOptions) => List<ItemOf<operations["listTaxClasses"]>, DataOf<operations["listTaxClasses"]>>;
    /**
     * Create a tax class.
     */
    createClass: (input: InputOf<operations["createTaxClass"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createTaxClass"]>>>;
    /**
     * Get a tax class.
     */
    getClass: (taxClassCode: string, options?: CallOptions) => Promise<Result<DataOf<operations["getTaxClass"]>>>;
    /**
     * Rename a tax class.
     */
    updateClass: (taxClassCode: string, input: InputOf<operations["updateTaxClass"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateTaxClass"]>>>;
    /**
     * Archive a tax class that neither products nor rates have.
     */
    archiveClass: (taxClassCode: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveTaxClass"]>>>;
    /**
     * List tax rates, oldest first.
     */
    listRates: (input?: InputOf<operations["listTaxRates"]>, options?: CallOptions) => List<ItemOf<operations["listTaxRates"]>, DataOf<operations["listTaxRates"]>>;
    /**
     * Create a tax rate.
     */
    createRate: (input: InputOf<operations["createTaxRate"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createTaxRate"]>>>;
    /**
     * Get a tax rate.
     */
    getRate: (taxRateId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getTaxRate"]>>>;
    /**
     * Update a tax rate.
     */
    updateRate: (taxRateId: string, input: InputOf<operations["updateTaxRate"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateTaxRate"]>>>;
    /**
     * Archive a tax rate, which then taxes nothing.
     */
    archiveRate: (taxRateId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveTaxRate"]>>>;
  }>;
  readonly delivery: Readonly<{
    /**
     * List delivery zones, oldest first.
     */
    listZones: (input?: InputOf<operations["listDeliveryZones"]>, options?: CallOptions) => List<ItemOf<operations["listDeliveryZones"]>, DataOf<operations["listDeliveryZones"]>>;
    /**
     * Create a delivery zone.
     */
    createZone: (input: InputOf<operations["createDeliveryZone"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createDeliveryZone"]>>>;
    /**
     * Get a delivery zone.
     */
    getZone: (zoneId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getDeliveryZone"]>>>;
    /**
     * Update a delivery zone.
     */
    updateZone: (zoneId: string, input: InputOf<operations["updateDeliveryZone"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateDeliveryZone"]>>>;
    /**
     * Archive a delivery zone with its methods.
     *
     * Its areas are free for another zone. Existing orders keep their delivery.
     */
    archiveZone: (zoneId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveDeliveryZone"]>>>;
    /**
     * List delivery methods, oldest first.
     */
    listMethods: (input?: InputOf<operations["listDeliveryMethods"]>, options?: CallOptions) => List<ItemOf<operations["listDeliveryMethods"]>, DataOf<operations["listDeliveryMethods"]>>;
    /**
     * Create a delivery method.
     */
    createMethod: (input: InputOf<operations["createDeliveryMethod"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createDeliveryMethod"]>>>;
    /**
     * Get a delivery method.
     */
    getMethod: (methodId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getDeliveryMethod"]>>>;
    /**
     * Update a delivery method.
     */
    updateMethod: (methodId: string, input: InputOf<operations["updateDeliveryMethod"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateDeliveryMethod"]>>>;
    /**
     * Archive a delivery method.
     *
     * Existing orders keep their delivery.
     */
    archiveMethod: (methodId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveDeliveryMethod"]>>>;
  }>;
  readonly audit: Readonly<{
    /**
     * List audit entries, latest first.
     */
    list: (input?: InputOf<operations["listAuditEntries"]>, options?: CallOptions) => List<ItemOf<operations["listAuditEntries"]>, DataOf<operations["listAuditEntries"]>>;
  }>;
  readonly products: Readonly<{
    /**
     * List products, including inactive ones, newest first.
     */
    list: (input?: InputOf<operations["listProducts"]>, options?: CallOptions) => List<ItemOf<operations["listProducts"]>, DataOf<operations["listProducts"]>>;
    /**
     * Create a product.
     */
    create: (input: InputOf<operations["createProduct"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createProduct"]>>>;
    /**
     * Activate, deactivate or archive several products.
     *
     * The response says for each product which status it has now, and why.
     */
    changeStatuses: (input: InputOf<operations["changeProductStatuses"]>, options?: CallOptions) => Promise<Result<DataOf<operations["changeProductStatuses"]>>>;
    /**
     * Get a product.
     */
    get: (productId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getProduct"]>>>;
    /**
     * Update a product.
     *
     * Lists are replaced; entries that are sent with their id keep it.
     */
    update: (productId: string, input: InputOf<operations["updateProduct"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateProduct"]>>>;
    /**
     * Archive a product.
     */
    archive: (productId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveProduct"]>>>;
    /**
     * Get a variant of a product.
     */
    getVariant: (productId: string, variantId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getProductVariant"]>>>;
    /**
     * Update a variant of a product.
     *
     * Fields that are left out stay as they are.
     */
    updateVariant: (productId: string, variantId: string, input: InputOf<operations["updateProductVariant"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateProductVariant"]>>>;
    /**
     * Remove a variant from a product.
     */
    removeVariant: (productId: string, variantId: string, options?: CallOptions) => Promise<Result<DataOf<operations["removeProductVariant"]>>>;
    /**
     * Get an add-on option of a product.
     */
    getAddOnOption: (productId: string, addOnGroupId: string, addOnOptionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getProductAddOnOption"]>>>;
    /**
     * Update an add-on option of a product.
     *
     * Fields that are left out stay as they are.
     */
    updateAddOnOption: (productId: string, addOnGroupId: string, addOnOptionId: string, input: InputOf<operations["updateProductAddOnOption"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateProductAddOnOption"]>>>;
    /**
     * Remove an add-on option from a product.
     */
    removeAddOnOption: (productId: string, addOnGroupId: string, addOnOptionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["removeProductAddOnOption"]>>>;
    /**
     * Add an image to a product, from the file of a form.
     */
    addImage: (productId: string, input: { file: Blob; is_primary?: boolean }, options?: CallOptions) => Promise<Result<DataOf<operations["addProductImage"]>>>;
    /**
     * Get an image of a product.
     */
    getImage: (productId: string, imageId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getProductImage"]>>>;
    /**
     * Update an image of a product.
     *
     * Fields that are left out stay as they are.
     */
    updateImage: (productId: string, imageId: string, input: InputOf<operations["updateProductImage"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateProductImage"]>>>;
    /**
     * Remove an image from a product.
     */
    removeImage: (productId: string, imageId: string, options?: CallOptions) => Promise<Result<DataOf<operations["removeProductImage"]>>>;
    /**
     * Import products from a CSV in Shopify's format.
     *
     * Importing the same file again changes nothing.
     */
    import: (input: { file: string | Blob; dry_run?: boolean }, options?: CallOptions) => Promise<Result<DataOf<operations["importProducts"]>>>;
    /**
     * Export all products as a CSV that can be imported again.
     */
    export: (options?: CallOptions) => Promise<Result<DataOf<operations["exportProducts"]>>>;
  }>;
  readonly categories: Readonly<{
    /**
     * List categories in display order.
     */
    list: (input?: InputOf<operations["listCategories"]>, options?: CallOptions) => List<ItemOf<operations["listCategories"]>, DataOf<operations["listCategories"]>>;
    /**
     * Create a category.
     */
    create: (input: InputOf<operations["createCategory"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createCategory"]>>>;
    /**
     * Get a category.
     */
    get: (categoryId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getCategory"]>>>;
    /**
     * Update a category.
     */
    update: (categoryId: string, input: InputOf<operations["updateCategory"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateCategory"]>>>;
    /**
     * Archive a category.
     *
     * Its contents move to its parent.
     */
    archive: (categoryId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveCategory"]>>>;
  }>;
  readonly collections: Readonly<{
    /**
     * List collections in display order.
     */
    list: (input?: InputOf<operations["listCollections"]>, options?: CallOptions) => List<ItemOf<operations["listCollections"]>, DataOf<operations["listCollections"]>>;
    /**
     * Create a collection.
     */
    create: (input: InputOf<operations["createCollection"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createCollection"]>>>;
    /**
     * Get a collection.
     */
    get: (collectionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getCollection"]>>>;
    /**
     * Update a collection.
     */
    update: (collectionId: string, input: InputOf<operations["updateCollection"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateCollection"]>>>;
    /**
     * Archive a collection.
     *
     * Its products stay.
     */
    archive: (collectionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveCollection"]>>>;
  }>;
  readonly attributes: Readonly<{
    /**
     * List attributes, oldest first.
     */
    list: (input?: InputOf<operations["listAttributes"]>, options?: CallOptions) => List<ItemOf<operations["listAttributes"]>, DataOf<operations["listAttributes"]>>;
    /**
     * Create an attribute of a category or collection.
     */
    create: (input: InputOf<operations["createAttribute"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createAttribute"]>>>;
    /**
     * Get an attribute.
     */
    get: (attributeId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getAttribute"]>>>;
    /**
     * Update an attribute.
     */
    update: (attributeId: string, input: InputOf<operations["updateAttribute"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateAttribute"]>>>;
    /**
     * Archive an attribute.
     */
    archive: (attributeId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveAttribute"]>>>;
  }>;
  readonly billingPlans: Readonly<{
    /**
     * List billing plans, oldest first.
     */
    list: (input?: InputOf<operations["listBillingPlans"]>, options?: CallOptions) => List<ItemOf<operations["listBillingPlans"]>, DataOf<operations["listBillingPlans"]>>;
    /**
     * Create a billing plan.
     */
    create: (input: InputOf<operations["createBillingPlan"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createBillingPlan"]>>>;
    /**
     * Get a billing plan.
     */
    get: (billingPlanId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getBillingPlan"]>>>;
    /**
     * Update a billing plan.
     */
    update: (billingPlanId: string, input: InputOf<operations["updateBillingPlan"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateBillingPlan"]>>>;
    /**
     * Archive a billing plan, which then no product offers.
     */
    archive: (billingPlanId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveBillingPlan"]>>>;
  }>;
  readonly bundles: Readonly<{
    /**
     * List bundles, including inactive ones, newest first.
     */
    list: (input?: InputOf<operations["listBundles"]>, options?: CallOptions) => List<ItemOf<operations["listBundles"]>, DataOf<operations["listBundles"]>>;
    /**
     * Create a bundle.
     */
    create: (input: InputOf<operations["createBundle"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createBundle"]>>>;
    /**
     * Get a bundle.
     */
    get: (bundleId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getBundle"]>>>;
    /**
     * Update a bundle.
     *
     * Lists are replaced; entries that are sent with their id keep it.
     */
    update: (bundleId: string, input: InputOf<operations["updateBundle"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateBundle"]>>>;
    /**
     * Archive a bundle and its product.
     */
    archive: (bundleId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveBundle"]>>>;
  }>;
  readonly composites: Readonly<{
    /**
     * List composites, including inactive ones, newest first.
     */
    list: (input?: InputOf<operations["listComposites"]>, options?: CallOptions) => List<ItemOf<operations["listComposites"]>, DataOf<operations["listComposites"]>>;
    /**
     * Create a composite.
     */
    create: (input: InputOf<operations["createComposite"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createComposite"]>>>;
    /**
     * Get a composite.
     */
    get: (compositeId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getComposite"]>>>;
    /**
     * Update a composite.
     *
     * Lists are replaced; entries that are sent with their id keep it.
     */
    update: (compositeId: string, input: InputOf<operations["updateComposite"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateComposite"]>>>;
    /**
     * Archive a composite and its product.
     */
    archive: (compositeId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveComposite"]>>>;
  }>;
  readonly deals: Readonly<{
    /**
     * List deals, newest first.
     */
    list: (input?: InputOf<operations["listDeals"]>, options?: CallOptions) => List<ItemOf<operations["listDeals"]>, DataOf<operations["listDeals"]>>;
    /**
     * Create a deal.
     *
     * With a code it is a coupon; without one it applies automatically.
     */
    create: (input: InputOf<operations["createDeal"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createDeal"]>>>;
    /**
     * Get a deal.
     */
    get: (dealId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getDeal"]>>>;
    /**
     * Update a deal.
     */
    update: (dealId: string, input: InputOf<operations["updateDeal"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateDeal"]>>>;
    /**
     * Archive a deal.
     *
     * Existing orders keep it.
     */
    archive: (dealId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveDeal"]>>>;
  }>;
  readonly inventory: Readonly<{
    /**
     * Set the quantity on hand at a location.
     *
     * @throws BusinessRuleError with the rule NOT_TRACKED, STOCK_RESERVED.
     */
    setStockLevel: (productOrVariantId: string, locationId: string, input: InputOf<operations["setStockLevel"]>, options?: CallOptions) => Promise<Result<DataOf<operations["setStockLevel"]>>>;
    /**
     * Adjust the quantity on hand at a location, with a reason.
     *
     * @throws BusinessRuleError with the rule NOT_TRACKED, STOCK_RESERVED.
     */
    adjustStockLevel: (productOrVariantId: string, locationId: string, input: InputOf<operations["adjustStockLevel"]>, options?: CallOptions) => Promise<Result<DataOf<operations["adjustStockLevel"]>>>;
    /**
     * List the changes of a stock level, latest first.
     */
    listStockMovements: (productOrVariantId: string, locationId: string, input?: InputOf<operations["listStockMovements"]>, options?: CallOptions) => List<ItemOf<operations["listStockMovements"]>, DataOf<operations["listStockMovements"]>>;
    /**
     * List stock levels.
     */
    listStockLevels: (input?: InputOf<operations["listStockLevels"]>, options?: CallOptions) => List<ItemOf<operations["listStockLevels"]>, DataOf<operations["listStockLevels"]>>;
  }>;
  readonly orders: Readonly<{
    /**
     * List orders, newest first.
     */
    list: (input?: InputOf<operations["listOrders"]>, options?: CallOptions) => List<ItemOf<operations["listOrders"]>, DataOf<operations["listOrders"]>>;
    /**
     * Export orders as a CSV, one order a line, newest first.
     */
    export: (input?: InputOf<operations["exportOrders"]>, options?: CallOptions) => Promise<Result<DataOf<operations["exportOrders"]>>>;
    /**
     * Change the status of several orders.
     *
     * The response says for each order whether its status was changed, and why not. Cancel orders one by one, because each may be refunded.
     */
    changeStatuses: (input: InputOf<operations["changeOrderStatuses"]>, options?: CallOptions) => Promise<Result<DataOf<operations["changeOrderStatuses"]>>>;
    /**
     * Get an order with its payment and refunds.
     */
    get: (orderId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getOrder"]>>>;
    /**
     * Replace an order's tags.
     *
     * Shoppers never see them.
     */
    update: (orderId: string, input: InputOf<operations["updateOrder"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateOrder"]>>>;
    /**
     * List the notes about an order, newest first.
     */
    listNotes: (orderId: string, input?: InputOf<operations["listOrderNotes"]>, options?: CallOptions) => List<ItemOf<operations["listOrderNotes"]>, DataOf<operations["listOrderNotes"]>>;
    /**
     * Add a note to an order.
     *
     * Shoppers never see it.
     */
    addNote: (orderId: string, input: InputOf<operations["addOrderNote"]>, options?: CallOptions) => Promise<Result<DataOf<operations["addOrderNote"]>>>;
    /**
     * Change an order's status; cancelled cancels the order.
     *
     * @throws BusinessRuleError with the rule INVALID_STATE, ORDER_NOT_CANCELLABLE.
     */
    changeStatus: (orderId: string, input: InputOf<operations["changeOrderStatus"]>, options?: CallOptions) => Promise<Result<DataOf<operations["changeOrderStatus"]>>>;
    /**
     * Cancel an order.
     *
     * Captured payments are refunded.
     *
     * @throws BusinessRuleError with the rule INVALID_STATE, ORDER_NOT_CANCELLABLE.
     */
    cancel: (orderId: string, input: InputOf<operations["cancelOrder"]>, options?: CallOptions) => Promise<Result<DataOf<operations["cancelOrder"]>>>;
    /**
     * Refund an order in the payment's currency, and optionally restock its items.
     *
     * @throws BusinessRuleError with the rule INVALID_STATE, REFUND_TOO_LARGE.
     */
    refund: (orderId: string, input: InputOf<operations["refundOrder"]>, options?: CallOptions) => Promise<Result<DataOf<operations["refundOrder"]>>>;
    /**
     * Record that a due refund of cash was returned to the customer.
     */
    markRefundPaid: (orderId: string, refundId: string, options?: CallOptions) => Promise<Result<DataOf<operations["markRefundPaid"]>>>;
    /**
     * Create a link to a page on which the order is paid.
     */
    createPaymentLink: (orderId: string, options?: CallOptions) => Promise<Result<DataOf<operations["createPaymentLink"]>>>;
    /**
     * Mark a cash order as paid.
     */
    markPaid: (orderId: string, input: InputOf<operations["markOrderPaid"]>, options?: CallOptions) => Promise<Result<DataOf<operations["markOrderPaid"]>>>;
    /**
     * List an order's shipments, oldest first.
     */
    listShipments: (orderId: string, input?: InputOf<operations["listShipments"]>, options?: CallOptions) => List<ItemOf<operations["listShipments"]>, DataOf<operations["listShipments"]>>;
    /**
     * Ship units of an order; by default everything that is left.
     *
     * A label only sets units aside. They leave stock when the status says so.
     *
     * @throws BusinessRuleError with the rule INVALID_STATE, QUANTITY_TOO_LARGE.
     */
    createShipment: (orderId: string, input: InputOf<operations["createShipment"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createShipment"]>>>;
    /**
     * Change a shipment's tracking, or move it on.
     */
    updateShipment: (orderId: string, shipmentId: string, input: InputOf<operations["updateShipment"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateShipment"]>>>;
  }>;
  readonly subscriptions: Readonly<{
    /**
     * List subscriptions, newest first.
     */
    list: (input?: InputOf<operations["listSubscriptions"]>, options?: CallOptions) => List<ItemOf<operations["listSubscriptions"]>, DataOf<operations["listSubscriptions"]>>;
    /**
     * Get a subscription with its plan, items and invoices.
     */
    get: (subscriptionId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getSubscription"]>>>;
    /**
     * Cancel a subscription at the end of its current period, or now.
     */
    cancel: (subscriptionId: string, input: InputOf<operations["cancelSubscription"]>, options?: CallOptions) => Promise<Result<DataOf<operations["cancelSubscription"]>>>;
  }>;
  readonly customers: Readonly<{
    /**
     * List customers, newest first, optionally by name, e-mail address or phone number.
     */
    list: (input?: InputOf<operations["listCustomers"]>, options?: CallOptions) => List<ItemOf<operations["listCustomers"]>, DataOf<operations["listCustomers"]>>;
    /**
     * Create a customer.
     *
     * The first person who verifies one of the contacts gets it.
     */
    create: (input: InputOf<operations["createCustomer"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createCustomer"]>>>;
    /**
     * Export customers as a CSV, newest first.
     */
    export: (input?: InputOf<operations["exportCustomers"]>, options?: CallOptions) => Promise<Result<DataOf<operations["exportCustomers"]>>>;
    /**
     * Change a customer's name, contacts, tags or tax exemption.
     */
    update: (customerId: string, input: InputOf<operations["updateCustomer"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateCustomer"]>>>;
    /**
     * Get a customer.
     */
    get: (customerId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getCustomer"]>>>;
    /**
     * List the notes about a customer, newest first.
     */
    listNotes: (customerId: string, input?: InputOf<operations["listCustomerNotes"]>, options?: CallOptions) => List<ItemOf<operations["listCustomerNotes"]>, DataOf<operations["listCustomerNotes"]>>;
    /**
     * Add a note to a customer.
     *
     * Shoppers never see it.
     */
    addNote: (customerId: string, input: InputOf<operations["addCustomerNote"]>, options?: CallOptions) => Promise<Result<DataOf<operations["addCustomerNote"]>>>;
    /**
     * Export a customer's personal data.
     */
    exportData: (customerId: string, options?: CallOptions) => Promise<Result<DataOf<operations["exportCustomerData"]>>>;
    /**
     * Erase a customer's personal data.
     *
     * Orders keep their amounts.
     */
    eraseData: (customerId: string, options?: CallOptions) => Promise<Result<DataOf<operations["eraseCustomerData"]>>>;
  }>;
  readonly customerGroups: Readonly<{
    /**
     * List customer groups, newest first.
     *
     * A page may be short when its groups have many customers.
     */
    list: (input?: InputOf<operations["listCustomerGroups"]>, options?: CallOptions) => List<ItemOf<operations["listCustomerGroups"]>, DataOf<operations["listCustomerGroups"]>>;
    /**
     * Create a customer group.
     */
    create: (input: InputOf<operations["createCustomerGroup"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createCustomerGroup"]>>>;
    /**
     * Get a customer group.
     */
    get: (customerGroupId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getCustomerGroup"]>>>;
    /**
     * Change a customer group's name or its customers.
     *
     * customer_ids replaces all of them; the other lists let some join or leave.
     */
    update: (customerGroupId: string, input: InputOf<operations["updateCustomerGroup"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateCustomerGroup"]>>>;
    /**
     * Archive a customer group.
     *
     * Its customers stay.
     */
    archive: (customerGroupId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveCustomerGroup"]>>>;
  }>;
  readonly reports: Readonly<{
    /**
     * Report sales minus refunds, in total and by day, week or month.
     */
    getSales: (input?: InputOf<operations["getSalesReport"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getSalesReport"]>>>;
    /**
     * Report taxes minus refunds by rate, in total and by day, week or month.
     */
    getTax: (input?: InputOf<operations["getTaxReport"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getTaxReport"]>>>;
    /**
     * Report new and returning customers and guests, and list customers by revenue.
     */
    getCustomers: (input?: InputOf<operations["getCustomerReport"]>, options?: CallOptions) => List<ItemOf<operations["getCustomerReport"]>, DataOf<operations["getCustomerReport"]>>;
    /**
     * Report stock levels with their value at the price.
     */
    getStock: (input?: InputOf<operations["getStockReport"]>, options?: CallOptions) => List<ItemOf<operations["getStockReport"]>, DataOf<operations["getStockReport"]>>;
    /**
     * Get today's figures: orders, bookings, sales, low stock and conversations.
     */
    getToday: (options?: CallOptions) => Promise<Result<DataOf<operations["getToday"]>>>;
  }>;
  readonly conversations: Readonly<{
    /**
     * List conversations by their latest message, newest first.
     */
    list: (input?: InputOf<operations["listConversations"]>, options?: CallOptions) => List<ItemOf<operations["listConversations"]>, DataOf<operations["listConversations"]>>;
    /**
     * Get a conversation with its latest messages, or with those after a time.
     */
    get: (threadId: string, input?: InputOf<operations["getConversation"]>, options?: CallOptions) => Promise<Result<DataOf<operations["getConversation"]>>>;
    /**
     * Send the shopper a message; after 4,000 messages, 422 CONVERSATION_FULL.
     */
    sendMessage: (threadId: string, input: InputOf<operations["sendConversationMessage"]>, options?: CallOptions) => Promise<Result<DataOf<operations["sendConversationMessage"]>>>;
    /**
     * Mark the customer's messages as read, all or those until a time.
     */
    markRead: (threadId: string, input: InputOf<operations["markConversationRead"]>, options?: CallOptions) => Promise<Result<DataOf<operations["markConversationRead"]>>>;
    /**
     * Close a conversation.
     *
     * The shopper's next message reopens it.
     */
    close: (threadId: string, options?: CallOptions) => Promise<Result<DataOf<operations["closeConversation"]>>>;
    /**
     * Get a ticket with which an agent's browser opens one WebSocket.
     */
    createTicket: (threadId: string, options?: CallOptions) => Promise<Result<DataOf<operations["createSocketTicket"]>>>;
  }>;
  readonly services: Readonly<{
    /**
     * List services, including inactive ones, newest first.
     */
    list: (input?: InputOf<operations["listServices"]>, options?: CallOptions) => List<ItemOf<operations["listServices"]>, DataOf<operations["listServices"]>>;
    /**
     * Create a service.
     */
    create: (input: InputOf<operations["createService"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createService"]>>>;
    /**
     * Get a service by its id or its product's id.
     */
    get: (serviceId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getService"]>>>;
    /**
     * Update a service.
     */
    update: (serviceId: string, input: InputOf<operations["updateService"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateService"]>>>;
    /**
     * Archive a service and its product.
     */
    archive: (serviceId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveService"]>>>;
    /**
     * List a day's slots of a service, as the business may book them.
     */
    listSlots: (serviceId: string, input: InputOf<operations["listServiceSlots"]>, options?: CallOptions) => Promise<Result<DataOf<operations["listServiceSlots"]>>>;
  }>;
  readonly bookings: Readonly<{
    /**
     * List bookings by start time, earliest first.
     */
    list: (input?: InputOf<operations["listBookings"]>, options?: CallOptions) => List<ItemOf<operations["listBookings"]>, DataOf<operations["listBookings"]>>;
    /**
     * Book a service for a customer.
     *
     * Places an order of one line, to be paid at the business or by a payment link.
     *
     * @throws BusinessRuleError with the rule ITEM_UNAVAILABLE, OUT_OF_STOCK, PAYMENT_METHOD_UNAVAILABLE, SELECTION_INVALID, SLOT_UNAVAILABLE.
     */
    create: (input: InputOf<operations["createBooking"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createBooking"]>>>;
    /**
     * Set a confirmed booking to completed or no_show.
     */
    changeStatus: (bookingId: string, input: InputOf<operations["changeBookingStatus"]>, options?: CallOptions) => Promise<Result<DataOf<operations["changeBookingStatus"]>>>;
    /**
     * Cancel a booking at any time.
     *
     * Its order and payment do not change.
     */
    cancel: (bookingId: string, input: InputOf<operations["cancelBooking"]>, options?: CallOptions) => Promise<Result<DataOf<operations["cancelBooking"]>>>;
    /**
     * Reschedule a booking to another time of the same length.
     *
     * @throws BusinessRuleError with the rule INVALID_STATE, SLOT_INVALID, SLOT_UNAVAILABLE.
     */
    reschedule: (bookingId: string, input: InputOf<operations["rescheduleBooking"]>, options?: CallOptions) => Promise<Result<DataOf<operations["rescheduleBooking"]>>>;
  }>;
  readonly staff: Readonly<{
    /**
     * List staff members, oldest first.
     */
    list: (input?: InputOf<operations["listStaffMembers"]>, options?: CallOptions) => List<ItemOf<operations["listStaffMembers"]>, DataOf<operations["listStaffMembers"]>>;
    /**
     * Create a staff member.
     *
     * Without hours, they work whenever the location is open.
     */
    create: (input: InputOf<operations["createStaffMember"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createStaffMember"]>>>;
    /**
     * Get a staff member.
     */
    get: (staffId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getStaffMember"]>>>;
    /**
     * Update a staff member.
     */
    update: (staffId: string, input: InputOf<operations["updateStaffMember"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateStaffMember"]>>>;
    /**
     * Archive a staff member, who then takes no more bookings.
     */
    archive: (staffId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveStaffMember"]>>>;
  }>;
  readonly resources: Readonly<{
    /**
     * List resources, oldest first.
     */
    list: (input?: InputOf<operations["listResources"]>, options?: CallOptions) => List<ItemOf<operations["listResources"]>, DataOf<operations["listResources"]>>;
    /**
     * Create a resource that services need.
     *
     * Its default capacity is one booking at a time.
     */
    create: (input: InputOf<operations["createResource"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createResource"]>>>;
    /**
     * Get a resource.
     */
    get: (resourceId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getResource"]>>>;
    /**
     * Update a resource.
     */
    update: (resourceId: string, input: InputOf<operations["updateResource"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateResource"]>>>;
    /**
     * Archive a resource, which then limits no service.
     */
    archive: (resourceId: string, options?: CallOptions) => Promise<Result<DataOf<operations["archiveResource"]>>>;
  }>;
  readonly importsAndExports: Readonly<{
    /**
     * Export everything of the business as JSON Lines.
     *
     * Writes to the business wait while the file is written.
     */
    createExport: (options?: CallOptions) => Promise<Result<DataOf<operations["createExport"]>>>;
    /**
     * List the exports of the last 7 days, newest first.
     */
    listExports: (input?: InputOf<operations["listExports"]>, options?: CallOptions) => List<ItemOf<operations["listExports"]>, DataOf<operations["listExports"]>>;
    /**
     * Get an export.
     */
    getExport: (exportId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getExport"]>>>;
    /**
     * Download the file of a completed export.
     */
    getExportFile: (exportId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getExportFile"]>>>;
    /**
     * Import the file of an export into an empty business.
     */
    importBusiness: (input: { file: string | Blob }, options?: CallOptions) => Promise<Result<DataOf<operations["importBusiness"]>>>;
    /**
     * Get an import of a business.
     */
    getBusinessImport: (importId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getBusinessImport"]>>>;
  }>;
  readonly assets: Readonly<{
    /**
     * Start an asset upload and get the URL for its content.
     */
    startUpload: (input: InputOf<operations["startAssetUpload"]>, options?: CallOptions) => Promise<Result<DataOf<operations["startAssetUpload"]>>>;
    /**
     * Publish an asset after its content was sent.
     */
    confirm: (input: InputOf<operations["confirmAsset"]>, options?: CallOptions) => Promise<Result<DataOf<operations["confirmAsset"]>>>;
    /**
     * List public assets, newest first.
     */
    list: (input?: InputOf<operations["listAssets"]> & { readonly cursor?: string }, options?: CallOptions) => List<ItemOf<operations["listAssets"]>, DataOf<operations["listAssets"]>>;
    /**
     * Get a public asset.
     */
    get: (uploadId: string, options?: CallOptions) => Promise<Result<DataOf<operations["getAsset"]>>>;
    /**
     * Delete an asset.
     *
     * Deleting it again succeeds.
     */
    delete: (uploadId: string, options?: CallOptions) => Promise<Result<DataOf<operations["deleteAsset"]>>>;
  }>;
}
