import { z } from "@hono/zod-openapi";
import { businessStatuses, scopes } from "../../../../shared/businesses/index.ts";
import {
  type ConsoleUser,
  type Membership,
  roles,
  scopesOfRole,
  type UserWithMemberships,
} from "../../../../shared/members/index.ts";
import { LocationView, viewLocation } from "../settings/location.ts";

export const UserView = z
  .object({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    is_operator: z.boolean(),
  })
  .openapi("ConsoleUser");

export const viewUser = ({ id, email, name, isOperator }: ConsoleUser) => ({
  id,
  email,
  name,
  is_operator: isOperator,
});

const MembershipView = z
  .object({
    business_id: z.string(),
    business_name: z.string(),
    business_status: z.enum(businessStatuses),
    mode: z.enum(["live", "test"]),
    currency: z.string(),
    timezone: z.string(),
    locations: z.array(LocationView),
    role: z.enum(roles),
    scopes: z.array(z.enum(scopes)),
  })
  .openapi("Membership");

const viewMembership = ({ business, role }: Membership): z.infer<typeof MembershipView> => ({
  business_id: business.id,
  business_name: business.name,
  business_status: business.status.type,
  mode: business.mode,
  currency: business.currency,
  timezone: business.timezone,
  locations: business.locations.map((location) => viewLocation(location)),
  role,
  scopes: [...scopesOfRole(role)],
});

/** The person who is logged in, and the businesses that the person works for. */
export const MeView = z
  .object({ user: UserView, memberships: z.array(MembershipView) })
  .openapi("ConsoleLogin");

export const viewMe = ({ user, memberships }: UserWithMemberships): z.infer<typeof MeView> => ({
  user: viewUser(user),
  memberships: memberships.map(viewMembership),
});
