export {
  eraseTracking,
  type ShipmentRow,
  shipmentRepo,
  shipmentsOfOrders,
  toShipment,
} from "./repo.ts";
export {
  hasLeft,
  initialShipmentStatuses,
  isVoided,
  isWithCustomer,
  type Shipment,
  type ShipmentItem,
  type ShipmentStatus,
  shipmentRecord,
  shipmentStatuses,
  type Tracking,
  unitsByLine,
  withShipmentStatus,
} from "./shipment.ts";
