import type { BusinessSchemas } from "@duka/sdk/business";
import { useShop } from "../../api/shop.ts";
import { FormDialog } from "../../ui/dialog.tsx";
import { Select, TextField } from "../../ui/field.tsx";
import { optionsOf } from "../../ui/filters.tsx";
import { keyIn } from "../../ui/list-search.ts";
import { useDone } from "../../ui/use-done.ts";
import { useForm } from "../../ui/use-form.ts";

export type BusinessMember = BusinessSchemas["Member"];
type MemberRole = BusinessMember["role"];

export const memberRoles: Readonly<Record<MemberRole, Readonly<{ name: string; allows: string }>>> =
  {
    owner: { name: "Owner", allows: "Everything." },
    manager: {
      name: "Manager",
      allows: "Everything but members, API keys and payment providers.",
    },
    catalogue: { name: "Catalogue", allows: "Products, services and stock." },
    orders: { name: "Orders", allows: "Orders, bookings, customers, payments and chats." },
    viewer: {
      name: "Viewer",
      allows: "Reads everything but members, API keys and payment providers.",
    },
  };

const toRole = (text: string): MemberRole => keyIn(memberRoles, text) ?? "viewer";

/** Invites a person by e-mail. */
export function InviteDialog({ onClose }: Readonly<{ onClose: () => void }>) {
  const { api } = useShop();
  const done = useDone();
  const form = useForm({ email: "", name: "", role: "orders" }, async ({ email, name, role }) => {
    await api.members.invite({ email, role: toRole(role), ...(name.trim() && { name }) });
    await done(`${email} is invited.`);
  });
  return (
    <FormDialog title="Invite a member" action="Invite" form={form} onClose={onClose}>
      <TextField label="E-mail" type="email" required {...form.field("email")} />
      <TextField label="Name" maxLength={200} {...form.field("name")} />
      <Select
        label="Role"
        hint={memberRoles[toRole(form.values.role)].allows}
        options={optionsOf(memberRoles)}
        {...form.field("role")}
      />
      <p className="muted">They accept by logging in with this address within 7 days.</p>
    </FormDialog>
  );
}

/** Gives a member another role. */
export function RoleDialog({
  member,
  onClose,
}: Readonly<{ member: BusinessMember; onClose: () => void }>) {
  const { api } = useShop();
  const done = useDone();
  const form = useForm<Readonly<{ role: string }>>({ role: member.role }, async ({ role }) => {
    await api.members.update(member.id, { role: toRole(role) });
    await done(`The role of ${member.email} is changed.`);
  });
  return (
    <FormDialog
      title={`Role of ${member.name ?? member.email}`}
      action="Save"
      form={form}
      onClose={onClose}
    >
      <Select
        label="Role"
        hint={memberRoles[toRole(form.values.role)].allows}
        options={optionsOf(memberRoles)}
        {...form.field("role")}
      />
    </FormDialog>
  );
}
