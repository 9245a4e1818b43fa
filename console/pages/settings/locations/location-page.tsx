import { useNavigate, useParams } from "@tanstack/react-router";
import { useShop } from "../../../api/shop.ts";
import { useRecord } from "../../../api/use-record.ts";
import { useRecordForm } from "../../../api/use-record-form.ts";
import { ArchiveButton } from "../../../ui/archive-button.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { EditorForm } from "../../../ui/editor-form.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { PageHead } from "../../../ui/page.tsx";
import { useDone } from "../../../ui/use-done.ts";
import { useForm } from "../../../ui/use-form.ts";
import { LocationFields } from "./location-fields.tsx";
import { type Location, newLocationValues, toFields, toValues } from "./location-values.ts";

/** A location: address, hours, days on which it is closed, and pickup. */
export function LocationPage() {
  const { api } = useShop();
  const { locationId } = useParams({ from: "/$businessId/settings/locations/$locationId" });
  const query = useRecord({
    key: ["locations", locationId],
    get: (options) => api.locations.get(locationId, options),
  });
  return (
    <Loaded query={query}>
      {(location) => <LocationEditor key={locationId} location={location} />}
    </Loaded>
  );
}

function useShowLocations() {
  const navigate = useNavigate({ from: "/$businessId" });
  return () => navigate({ to: "/$businessId/settings/locations" });
}

function LocationEditor({ location }: Readonly<{ location: Location }>) {
  const { api, can } = useShop();
  const showLocations = useShowLocations();
  const form = useRecordForm({
    key: ["locations", location.id],
    record: location,
    toValues,
    save: async (values) => (await api.locations.update(location.id, toFields(values))).data,
  });
  const mayWrite = can("settings:write");
  return (
    <>
      <PageHead title={location.name} badges={location.is_default && <Badge>Default</Badge>}>
        {mayWrite && !location.is_default && (
          <ArchiveButton
            name={location.name}
            archive={() => api.locations.archive(location.id)}
            onArchived={showLocations}
          >
            Bookings there stay and can be cancelled. Stock that is left there is no longer sold.
          </ArchiveButton>
        )}
      </PageHead>
      <EditorForm
        form={form}
        action="Save"
        isReadOnly={!mayWrite}
        onDiscard={() => form.reset(toValues(location))}
      >
        <LocationFields form={form} isDefault={location.is_default} />
      </EditorForm>
    </>
  );
}

/** Creates a location. */
export function NewLocationPage() {
  const { api, membership } = useShop();
  const showLocations = useShowLocations();
  const done = useDone();
  const form = useForm(newLocationValues(membership.timezone), async (values) => {
    await api.locations.create(toFields(values));
    await done(`${values.name} is created.`);
  });
  return (
    <>
      <PageHead title="New location" />
      <EditorForm form={form} action="Create location" isNew onSaved={() => void showLocations()}>
        <LocationFields form={form} isDefault={false} />
      </EditorForm>
    </>
  );
}
