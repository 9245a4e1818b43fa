export {
  eraseTracking,
  type ShipmentRow,
  shipmentRepo,
  shipmentsOfOrdersQuery,
  toShipment,
} from "./repo.ts";
export {
  hasLeft,
  initialShipmentStatuses,
  isShippedAndNotReturned,
  isVoided,
  type Shipment,
  type ShipmentItem,
  type ShipmentStatus,
  shipmentStatuses,
  type Tracking,
  toShipmentPayload,
  unitsByLine,
  withShipmentStatus,
} from "./shipment.ts";
