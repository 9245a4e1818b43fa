import type { ApiOperation } from "./operations.ts";

/** Where a method is found in a client, such as `cart.addItem`. */
export type MethodName = Readonly<{ group: string; name: string }>;

/** Operations that are looked for under another record than their tag. */
const exceptions: Readonly<Record<string, MethodName>> = {
  importProducts: { group: "products", name: "import" },
  exportProducts: { group: "products", name: "export" },
  getOperatorStatus: { group: "deployment", name: "getStatus" },
  getMetrics: { group: "deployment", name: "getMetrics" },
  checkBooks: { group: "deployment", name: "checkBooks" },
  listDeadLetters: { group: "deployment", name: "listDeadLetters" },
  retryDeadLetters: { group: "deployment", name: "retryDeadLetters" },
  retryDeadLetter: { group: "deployment", name: "retryDeadLetter" },
  listReconciliationDifferences: { group: "deployment", name: "listReconciliationDifferences" },
  getCustomerReport: { group: "reports", name: "getCustomers" },
  getProductComposite: { group: "composites", name: "getByProduct" },
  getProductBundle: { group: "bundles", name: "getByProduct" },
  createSocketTicket: { group: "conversations", name: "createTicket" },
};

/**
 * The group is the operation's tag. The name is the operationId without the tag's noun, which the
 * group already says: `addCartItem` of Cart is `cart.addItem`.
 */
export function methodNameOf({ operationId, tags: [tag] }: ApiOperation): MethodName {
  return (
    exceptions[operationId] ?? {
      group: toCamelCase(tag),
      name: withoutNoun(operationId, nounsOf(tag)),
    }
  );
}

/** The words by which operationIds name the records of a tag. */
function nounsOf(tag: string): string[] {
  const noun = tag
    .split(" ")
    .map((word) => word[0]?.toUpperCase() + word.slice(1).toLowerCase())
    .join("");
  const singular = noun
    .replace(/ies$/, "y")
    .replace(/(?<=ss)es$/, "")
    .replace(/(?<!s)s$/, "");
  const extra = records[noun];
  return [extra && plural(extra), extra, noun, singular].filter((word) => word !== undefined);
}

/** Tags whose operationIds name another record. */
const records: Readonly<Record<string, string>> = {
  Audit: "AuditEntry",
  Enrolment: "Contact",
  MobileMoney: "MobileMoneyAccount",
  Staff: "StaffMember",
  Support: "Conversation",
};

const plural = (noun: string) => `${noun.replace(/y$/, "ie")}s`;

/** Removes the noun after the verb or at the end. */
function withoutNoun(operationId: string, nouns: readonly string[]): string {
  const [verb = ""] = /^[a-z]+/.exec(operationId) ?? [];
  const rest = operationId.slice(verb.length);
  const first = nouns.find(
    (noun) => rest.startsWith(noun) && !/^[a-z]/.test(rest.slice(noun.length)),
  );
  if (first !== undefined) return verb + rest.slice(first.length);
  const last = nouns.find((noun) => rest.endsWith(noun));
  return verb + rest.slice(0, rest.length - (last?.length ?? 0));
}

const toCamelCase = (words: string): string =>
  words
    .split(" ")
    .map((word, index) =>
      index === 0 ? word.toLowerCase() : word[0]?.toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join("");
