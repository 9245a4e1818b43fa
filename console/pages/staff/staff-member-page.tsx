import type { BusinessSchemas } from "@duka/sdk/business";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useRef } from "react";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { useRecordForm } from "../../api/use-record-form.ts";
import { ArchiveButton } from "../../ui/archive-button.tsx";
import { Card } from "../../ui/card.tsx";
import { type Closure, Closures } from "../../ui/closures.tsx";
import { EditorForm } from "../../ui/editor-form.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { type Form, useForm } from "../../ui/use-form.ts";
import { toWeekTimes, WeekHours, type WeekTimes } from "../../ui/week-hours.tsx";
import { ServicesOfCard } from "../services/services-of-card.tsx";

type StaffEntry = BusinessSchemas["StaffMember"];

type Values = Readonly<{
  name: string;
  /** Whether the hours of the location count instead of hours of one's own. */
  followsLocation: boolean;
  hours: WeekTimes;
  time_off: readonly Closure[];
}>;

const toValues = ({ name, hours, time_off }: StaffEntry): Values => ({
  name,
  followsLocation: hours === null,
  hours: toWeekTimes(hours),
  time_off,
});

const toFields = ({ name, followsLocation, hours, time_off }: Values) => ({
  name,
  hours: followsLocation ? null : hours,
  time_off,
});

const newValues: Values = {
  name: "",
  followsLocation: true,
  hours: toWeekTimes(null),
  time_off: [],
};

/** Creates a person who can be booked. */
export function NewStaffMemberPage() {
  const { api } = useShop();
  const navigate = useNavigate({ from: "/$businessId" });
  const queryClient = useQueryClient();
  const createdId = useRef("");
  const form = useForm(newValues, async (values) => {
    createdId.current = (await api.staff.create(toFields(values))).data.id;
    void queryClient.invalidateQueries();
  });
  return (
    <>
      <PageHead title="New staff member" />
      <EditorForm
        form={form}
        action="Create staff member"
        isNew
        onSaved={() =>
          void navigate({
            to: "/$businessId/staff/$staffId",
            params: { staffId: createdId.current }, // its page says in which services to name it
            ignoreBlocker: true,
          })
        }
      >
        <StaffFields form={form} />
      </EditorForm>
    </>
  );
}

/** A person who can be booked: working hours and time off. */
export function StaffMemberPage() {
  const { api } = useShop();
  const { staffId } = useParams({ from: "/$businessId/staff/$staffId" });
  const query = useRecord({
    key: ["staff", staffId],
    get: (options) => api.staff.get(staffId, options),
  });
  return <Loaded query={query}>{(member) => <StaffMemberEditor member={member} />}</Loaded>;
}

function StaffMemberEditor({ member }: Readonly<{ member: StaffEntry }>) {
  const { api, can } = useShop();
  const navigate = useNavigate({ from: "/$businessId" });
  const form = useRecordForm({
    key: ["staff", member.id],
    record: member,
    toValues,
    save: async (values) => (await api.staff.update(member.id, toFields(values))).data,
  });
  return (
    <>
      <PageHead title={member.name}>
        {can("catalogue:write") && (
          <ArchiveButton
            name={member.name}
            archive={() => api.staff.archive(member.id)}
            onArchived={() => navigate({ to: "/$businessId/staff", ignoreBlocker: true })}
          >
            Nobody can book {member.name} any more. Bookings that exist stay.
          </ArchiveButton>
        )}
      </PageHead>
      <EditorForm
        form={form}
        action="Save"
        isReadOnly={!can("catalogue:write")}
        onDiscard={() => form.reset(toValues(member))}
      >
        <StaffFields form={form} />
      </EditorForm>
      <ServicesOfCard staffId={member.id} name={member.name} />
    </>
  );
}

function StaffFields({ form }: Readonly<{ form: Form<Values> }>) {
  const { values, change, errorAt } = form;
  return (
    <>
      <Card title="Person">
        <TextField label="Name" required maxLength={200} {...form.field("name")} />
      </Card>
      <Card title="Working hours">
        <div className="stack">
          <Checkbox label="Whenever the location is open" {...form.field("followsLocation")} />
          {!values.followsLocation && (
            <WeekHours
              label="Working hours"
              value={values.hours}
              onChange={(hours) => change({ hours })}
              errorAt={(path) => errorAt(`hours.${path}`)}
            />
          )}
        </div>
      </Card>
      <Card title="Time off">
        <Closures
          action="Add time off"
          value={values.time_off}
          onChange={(time_off) => change({ time_off })}
          errorAt={(path) => errorAt(`time_off.${path}`)}
        />
      </Card>
    </>
  );
}
