import { type KeyScope, scopes } from "../businesses/index.ts";

export const roles = ["owner", "manager", "catalogue", "orders", "viewer"] as const;
export type Role = (typeof roles)[number];

const areaOf = (scope: KeyScope): string => scope.split(":")[0] ?? "";
const isRead = (scope: KeyScope): boolean => scope.endsWith(":read");

/** Only owners decide who works for the business, and hold its keys and payment accounts. */
const ownersAreas: readonly string[] = ["*", "members", "keys", "providers"];
const orderAreas: readonly string[] = ["orders", "customers", "payments", "support"];

/** The scopes of each role (docs/contract/members.md#member-roles). */
const scopesByRole: Readonly<Record<Role, readonly KeyScope[]>> = {
  owner: scopes,
  manager: scopes.filter((scope) => !ownersAreas.includes(areaOf(scope))),
  catalogue: scopes.filter((scope) => ["catalogue", "inventory"].includes(areaOf(scope))),
  orders: [
    "catalogue:read",
    "inventory:read",
    ...scopes.filter((scope) => orderAreas.includes(areaOf(scope))),
  ],
  viewer: scopes.filter((scope) => isRead(scope) && !ownersAreas.includes(areaOf(scope))),
};

export const scopesOfRole = (role: Role): readonly KeyScope[] => scopesByRole[role];
