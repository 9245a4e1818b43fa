// Generated from the OpenAPI document by `npm run generate`. Not edited by hand.

import type { CallOptions, DataOf, InputOf, ItemOf, List, Result } from "../runtime/types.ts";
import type { operations } from "./business-types.ts";

export const operatorRoutes = {
  businesses: {
    create: "POST /v1/businesses body key",
    list: "GET /v1/businesses? cursor",
    suspend: "POST /v1/businesses/{}/suspend key",
    resume: "POST /v1/businesses/{}/resume key",
    close: "POST /v1/businesses/{}/close key",
    move: "POST /v1/businesses/{}/move body key",
    rotateCredentials: "POST /v1/operator/credentials/rotate body key",
    purgePaymentProvider: "POST /v1/businesses/{}/payment-providers/{}/purge key",
  },
  business: {
    update: "PATCH /v1/businesses/{} body key",
  },
  organizations: {
    listKeys: "GET /v1/organizations/{}/keys? cursor",
    createKey: "POST /v1/organizations/{}/keys body key",
    revokeKey: "DELETE /v1/organizations/{}/keys/{} key",
  },
  deployment: {
    getStatus: "GET /v1/operator/status",
    listReconciliationDifferences: "GET /v1/operator/reconciliation/differences? cursor",
    getMetrics: "GET /v1/operator/metrics",
    listDeadLetters: "GET /v1/operator/dead-letters? cursor",
    retryDeadLetters: "POST /v1/operator/dead-letters/retry key",
    retryDeadLetter: "POST /v1/operator/dead-letters/{}/retry key",
    checkBooks: "POST /v1/operator/books body key",
  },
  operators: {
    list: "GET /v1/operator/operators? cursor",
    add: "POST /v1/operator/operators body key",
    remove: "DELETE /v1/operator/operators/{} key",
  },
  members: {
    invite: "POST /v1/businesses/{}/members body key",
  },
  keys: {
    create: "POST /v1/businesses/{}/keys body key",
  },
} as const;

export interface OperatorMethods {
  readonly businesses: Readonly<{
    /**
     * Create a business with its default location and first keys.
     */
    create: (input: InputOf<operations["createBusiness"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createBusiness"]>>>;
    /**
     * List all businesses, newest first.
     */
    list: (input?: InputOf<operations["listBusinesses"]>, options?: CallOptions) => List<ItemOf<operations["listBusinesses"]>, DataOf<operations["listBusinesses"]>>;
    /**
     * Suspend the business: it cannot sell, and its merchant keeps access.
     */
    suspend: (businessId: string, options?: CallOptions) => Promise<Result<DataOf<operations["suspendBusiness"]>>>;
    /**
     * Let a suspended or closed business sell again.
     */
    resume: (businessId: string, options?: CallOptions) => Promise<Result<DataOf<operations["resumeBusiness"]>>>;
    /**
     * Close the business.
     *
     * It is erased 30 days later.
     */
    close: (businessId: string, options?: CallOptions) => Promise<Result<DataOf<operations["closeBusiness"]>>>;
    /**
     * Move the business to another shard.
     *
     * Repeat the request until is_over is true.
     */
    move: (businessId: string, input: InputOf<operations["moveBusiness"]>, options?: CallOptions) => Promise<Result<DataOf<operations["moveBusiness"]>>>;
    /**
     * Wrap data keys of businesses again with the newest key of CREDENTIALS_KEY.
     *
     * Repeat the call with `after` set to `next` until that is null.
     */
    rotateCredentials: (input: InputOf<operations["rotateCredentials"]>, options?: CallOptions) => Promise<Result<DataOf<operations["rotateCredentials"]>>>;
    /**
     * Delete the keys of a disconnected account.
     *
     * Its payments can then be neither verified nor refunded nor renewed here.
     */
    purgePaymentProvider: (businessId: string, provider: string, options?: CallOptions) => Promise<Result<DataOf<operations["purgePaymentProvider"]>>>;
  }>;
  readonly business: Readonly<{
    /**
     * Update the business's name and settings, and its organization as the operator.
     */
    update: (businessId: string, input: InputOf<operations["updateBusiness"]>, options?: CallOptions) => Promise<Result<DataOf<operations["updateBusiness"]>>>;
  }>;
  readonly organizations: Readonly<{
    /**
     * List an organization's keys, including revoked ones, newest first.
     */
    listKeys: (organizationId: string, input?: InputOf<operations["listOrganizationKeys"]>, options?: CallOptions) => List<ItemOf<operations["listOrganizationKeys"]>, DataOf<operations["listOrganizationKeys"]>>;
    /**
     * Create a key for all businesses of the organization in its mode.
     *
     * Only this response contains its text.
     */
    createKey: (organizationId: string, input: InputOf<operations["createOrganizationKey"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createOrganizationKey"]>>>;
    /**
     * Revoke an organization's key.
     *
     * It stops working within 10 seconds.
     */
    revokeKey: (organizationId: string, keyId: string, options?: CallOptions) => Promise<Result<DataOf<operations["revokeOrganizationKey"]>>>;
  }>;
  readonly deployment: Readonly<{
    /**
     * Show what needs the operator.
     */
    getStatus: (options?: CallOptions) => Promise<Result<DataOf<operations["getOperatorStatus"]>>>;
    /**
     * List where a provider's books differ from ours, newest first.
     */
    listReconciliationDifferences: (input?: InputOf<operations["listReconciliationDifferences"]>, options?: CallOptions) => List<ItemOf<operations["listReconciliationDifferences"]>, DataOf<operations["listReconciliationDifferences"]>>;
    /**
     * Read the deployment's metrics.
     */
    getMetrics: (options?: CallOptions) => Promise<Result<DataOf<operations["getMetrics"]>>>;
    /**
     * List the messages that a queue gave up on, newest first.
     */
    listDeadLetters: (input?: InputOf<operations["listDeadLetters"]>, options?: CallOptions) => List<ItemOf<operations["listDeadLetters"]>, DataOf<operations["listDeadLetters"]>>;
    /**
     * Send the 100 messages that wait longest to their queue again.
     */
    retryDeadLetters: (options?: CallOptions) => Promise<Result<DataOf<operations["retryDeadLetters"]>>>;
    /**
     * Send a message to its queue again, once.
     */
    retryDeadLetter: (deadLetterId: string, options?: CallOptions) => Promise<Result<DataOf<operations["retryDeadLetter"]>>>;
    /**
     * Check the books of a business or a shard.
     *
     * Repeat the request with next_cursor until that is null.
     */
    checkBooks: (input: InputOf<operations["checkBooks"]>, options?: CallOptions) => Promise<Result<DataOf<operations["checkBooks"]>>>;
  }>;
  readonly operators: Readonly<{
    /**
     * List the logins that may make operator calls, newest first.
     */
    list: (input?: InputOf<operations["listOperators"]>, options?: CallOptions) => List<ItemOf<operations["listOperators"]>, DataOf<operations["listOperators"]>>;
    /**
     * Let the login of an e-mail address make operator calls.
     */
    add: (input: InputOf<operations["addOperator"]>, options?: CallOptions) => Promise<Result<DataOf<operations["addOperator"]>>>;
    /**
     * Take the operator calls from a login.
     */
    remove: (userId: string, options?: CallOptions) => Promise<Result<DataOf<operations["removeOperator"]>>>;
  }>;
  readonly members: Readonly<{
    /**
     * Invite a person by e-mail, as the merchant or the operator.
     *
     * An address that was invited before keeps its record.
     */
    invite: (businessId: string, input: InputOf<operations["inviteMember"]>, options?: CallOptions) => Promise<Result<DataOf<operations["inviteMember"]>>>;
  }>;
  readonly keys: Readonly<{
    /**
     * Create a key, as the merchant or the operator.
     *
     * Only this response contains its text.
     */
    create: (businessId: string, input: InputOf<operations["createKey"]>, options?: CallOptions) => Promise<Result<DataOf<operations["createKey"]>>>;
  }>;
}
