import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useShop } from "../../api/shop.ts";
import { useRecord } from "../../api/use-record.ts";
import { useRecordForm } from "../../api/use-record-form.ts";
import { ArchiveButton } from "../../ui/archive-button.tsx";
import { Badge } from "../../ui/badge.tsx";
import { EditorForm } from "../../ui/editor-form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { PageHead } from "../../ui/page.tsx";
import { useForm } from "../../ui/use-form.ts";
import {
  newServiceValues,
  type ServiceRecord,
  toServiceFields,
  toServiceValues,
} from "./service.ts";
import { ServiceFields } from "./service-fields.tsx";

/** Creates a service. */
export function NewServicePage() {
  const { api, membership } = useShop();
  const navigate = useNavigate({ from: "/$businessId" });
  const queryClient = useQueryClient();
  const locationIds = membership.locations.filter((one) => one.is_default).map(({ id }) => id);
  const form = useForm(newServiceValues(locationIds), async (values) => {
    await api.services.create(toServiceFields(values));
    void queryClient.invalidateQueries();
  });
  return (
    <>
      <PageHead title="New service" />
      <EditorForm
        form={form}
        action="Create service"
        isNew
        onSaved={() => void navigate({ to: "/$businessId/services", ignoreBlocker: true })}
      >
        <ServiceFields form={form} />
      </EditorForm>
    </>
  );
}

/** One service: its price and length, who and what it needs, and how it is booked. */
export function ServicePage() {
  const { api } = useShop();
  const { serviceId } = useParams({ from: "/$businessId/services/$serviceId" });
  const query = useRecord({
    key: ["services", serviceId],
    get: (options) => api.services.get(serviceId, options),
  });
  return <Loaded query={query}>{(service) => <ServiceEditor service={service} />}</Loaded>;
}

function ServiceEditor({ service }: Readonly<{ service: ServiceRecord }>) {
  const { api, can } = useShop();
  const navigate = useNavigate({ from: "/$businessId" });
  const form = useRecordForm({
    key: ["services", service.id],
    record: service,
    toValues: toServiceValues,
    save: async (values) => (await api.services.update(service.id, toServiceFields(values))).data,
  });
  return (
    <>
      <PageHead title={service.name} badges={!service.is_active && <Badge>Inactive</Badge>}>
        {can("catalogue:write") && (
          <ArchiveButton
            name={service.name}
            archive={() => api.services.archive(service.id)}
            onArchived={() => navigate({ to: "/$businessId/services", ignoreBlocker: true })}
          >
            Shoppers see it no longer. Bookings that exist stay.
          </ArchiveButton>
        )}
      </PageHead>
      <EditorForm
        form={form}
        action="Save"
        isReadOnly={!can("catalogue:write")}
        onDiscard={() => form.reset(toServiceValues(service))}
      >
        <ServiceFields form={form} />
      </EditorForm>
    </>
  );
}
