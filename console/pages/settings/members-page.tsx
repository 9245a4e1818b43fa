import { useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useMe } from "../../api/me.ts";
import { useShop } from "../../api/shop.ts";
import { useListPage } from "../../api/use-list-page.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { RecordList } from "../../ui/record-list.tsx";
import { useDone } from "../../ui/use-done.ts";
import { useFormat } from "../../ui/use-format.ts";
import { type BusinessMember, InviteDialog, memberRoles, RoleDialog } from "./member-dialogs.tsx";

type MembersDialog =
  | Readonly<{ kind: "invite" }>
  | Readonly<{ kind: "role" | "remove"; member: BusinessMember }>;

/** The people who work for the shop, and what their roles allow. */
export function MembersPage() {
  const { api, can } = useShop();
  const { user } = useMe();
  const format = useFormat();
  const done = useDone();
  const search = useSearch({ from: "/$businessId/settings/members" });
  const [dialog, setDialog] = useState<MembersDialog>();
  const close = () => setDialog(undefined);
  const mayWrite = can("members:write");
  const query = useListPage({
    key: ["members", search],
    list: () => api.members.list({ ...search, limit: 50 }),
  });
  return (
    <Card
      title="Members"
      isFlush
      actions={
        mayWrite && (
          <Button icon="plus" onClick={() => setDialog({ kind: "invite" })}>
            Invite
          </Button>
        )
      }
    >
      <RecordList
        label="Members"
        query={query}
        keyOf={({ id }) => id}
        columns={[
          {
            name: "Member",
            isWide: true,
            cell: ({ name, email, user_id: userId }) => (
              <>
                <strong>{name ?? email}</strong>
                {userId === user.id && <span className="muted"> (you)</span>}
                {name && <p className="small muted">{email}</p>}
              </>
            ),
          },
          {
            name: "Role",
            cell: ({ role, status }) => (
              <div className="row">
                <Badge>{memberRoles[role].name}</Badge>
                {status === "invited" && <Badge tone="warning">Invited</Badge>}
              </div>
            ),
          },
          {
            name: "Since",
            kind: "tight",
            cell: ({ accepted_at: acceptedAt, invited_at: invitedAt }) =>
              format.date(acceptedAt ?? invitedAt),
          },
          {
            name: "Actions",
            isNameHidden: true,
            kind: "tight",
            cell: (member) =>
              mayWrite && (
                <div className="row end">
                  <IconButton
                    icon="edit"
                    label={`Change the role of ${member.email}`}
                    onClick={() => setDialog({ kind: "role", member })}
                  />
                  <IconButton
                    icon="trash"
                    label={`Remove ${member.email}`}
                    onClick={() => setDialog({ kind: "remove", member })}
                  />
                </div>
              ),
          },
        ]}
        empty={<EmptyState icon="customers" title="No members" />}
      />
      {dialog?.kind === "invite" && <InviteDialog onClose={close} />}
      {dialog?.kind === "role" && <RoleDialog member={dialog.member} onClose={close} />}
      {dialog?.kind === "remove" && (
        <ConfirmDialog
          title={`Remove ${dialog.member.name ?? dialog.member.email}`}
          action="Remove"
          onConfirm={async () => {
            await api.members.remove(dialog.member.id);
            await done(`${dialog.member.email} is removed.`);
          }}
          onClose={close}
        >
          {dialog.member.status === "invited"
            ? "The invitation is withdrawn."
            : "They lose their access within 10 seconds. What they changed stays."}
        </ConfirmDialog>
      )}
    </Card>
  );
}
