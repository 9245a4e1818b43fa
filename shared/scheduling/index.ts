export {
  assertCancellationNotice,
  type Booking,
  bookingEvent,
  bookingRecord,
  bookingStatuses,
  changeableUntil,
  findNoticeRefusal,
  hasCancellationNotice,
  isActiveBooking,
  withBookingCancelled,
  withBookingRescheduled,
  withBookingStatus,
} from "./bookings/booking.ts";
export {
  bookingListQuery,
  type CustomerBookingPage,
  type ListedBooking,
  type PeriodBookings,
} from "./bookings/booking-list-query.ts";
export {
  type BookingRow,
  bookingRepo,
  bookingsOfOrders,
  cancelBookingsOfOrders,
  type NewBooking,
  toBooking,
} from "./bookings/booking-repo.ts";
export { expiredHolds, purgeHolds, slotHoldRepo } from "./bookings/slot-hold-repo.ts";
export { bookingPersonalData } from "./personal-data-repo.ts";
export { archiveResource, createResource, updateResource } from "./resources/resource-changes.ts";
export { type ResourceRecord, resourceRepo } from "./resources/resource-repo.ts";
export { findBookableService, listBookableServices } from "./services/bookable-service-query.ts";
export {
  type BookedService,
  bookedServiceQueries,
  rescheduleOffer,
  toBookedService,
} from "./services/booked-service-query.ts";
export {
  maxBookingWindowDays,
  type NewServiceFields,
  type Service,
  type ServicePatch,
  type ServiceResources,
  serviceTimezone,
} from "./services/service.ts";
export { archiveService, createService, updateService } from "./services/service-changes.ts";
export { prefetchServices, type ServicePrefetch } from "./services/service-prefetch-query.ts";
export { type ServiceRecord, serviceRepo } from "./services/service-repo.ts";
export { emptyOccupancy, type Occupancy } from "./slots/occupancy.ts";
export { findOccupancies, findOccupancy, occupancyQueries } from "./slots/occupancy-query.ts";
export { isSlotAvailable, type Slot, slotReasons } from "./slots/slot.ts";
export { allocationsOverlap, type SlotAllocation } from "./slots/slot-allocation.ts";
export { slotHoldTtlMs, withHoldLeeway } from "./slots/slot-hold.ts";
export {
  type BookableService,
  type SlotOffer,
  slotOfferFor,
  slotOffersFor,
  withoutBookingLimits,
} from "./slots/slot-offer.ts";
export {
  findSlotConflictRefusal,
  holdLimitRefusals,
  isSlotUnavailable,
  slotConflictRefusals,
  slotInvalid,
  slotUnavailable,
  withLineNames,
} from "./slots/slot-refusals.ts";
export {
  checkSlot,
  countFreeSlotsByDay,
  occupancyRangeOfDays,
  occupancyRangeOfSlot,
  requireSlotAllocation,
  slotsOfDay,
} from "./slots/slots.ts";
export { archiveStaffMember, createStaffMember, updateStaffMember } from "./staff/staff-changes.ts";
export { type StaffRecord, staffRepo } from "./staff/staff-repo.ts";
