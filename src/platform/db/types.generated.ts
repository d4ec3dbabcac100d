// Made by `npm run db:types` from the migrated database. Do not edit.

import type { ColumnType } from "kysely";

export type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[]
  ? U[]
  : ArrayTypeImpl<T>;

export type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S[], I[], U[]>
  : T[];

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export interface AccountEmails {
  businessId: string;
  email: string;
  userId: string;
}

export interface AccountIdentities {
  businessId: string;
  createdAt: Generated<string>;
  issuer: string;
  subject: string;
  userId: string;
}

export interface AccountLinks {
  businessId: string;
  createdAt: Generated<string>;
  /**
   * Where the link went; a link to an address that is no longer the person's does nothing.
   */
  email: string;
  expiresAt: string;
  id: string;
  purpose: "changeEmail" | "resetPassword" | "signIn" | "verifyEmail";
  usedAt: string | null;
  userId: string;
}

export interface AllocationMoves {
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  id: string;
  invoiceId: string;
  /**
   * The day the money came, or was put there where that was later; never before the invoice was issued. What is taken off, on the day of that.
   */
  onDay: string;
  paymentId: string;
}

export interface AllocationReversals {
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  disputeId: string | null;
  id: string;
  invoiceId: string;
  onDay: string;
  paymentId: string;
  reason: string;
  refundId: string | null;
}

export interface AnalyticsDays {
  businessId: string;
  /**
   * The part of that which money has paid by now; a late payment changes an old day.
   */
  capturedCents: Generated<number>;
  /**
   * Of clocked_labor_seconds those on the road.
   */
  clockedDriveLaborSeconds: Generated<number>;
  clockedLaborSeconds: Generated<number>;
  /**
   * The part of worth_cents whose visits have people and a time on the clock; their man-seconds are clocked_labor_seconds.
   */
  clockedWorthCents: Generated<number>;
  completions: Generated<number>;
  day: string;
  driveLaborSeconds: Generated<number>;
  driveMeters: Generated<number>;
  /**
   * Stops of runs whose way is known: density is theirs over its meters.
   */
  drivenStops: Generated<number>;
  invoicedCents: Generated<number>;
  invoices: Generated<number>;
  invoicesPaid: Generated<number>;
  /**
   * The id of the crew or service, the city or the source; empty where there is none.
   */
  key: Generated<string>;
  kind: "all" | "city" | "crew" | "service" | "source";
  /**
   * Man-seconds on site and on the road.
   */
  laborSeconds: Generated<number>;
  /**
   * Payments by the ledger; returned_cents is what of payments of any day went back or to a crew on this day.
   */
  receivedCents: Generated<number>;
  returnedCents: Generated<number>;
  /**
   * Crews that finished a stop on the day; run_stops are the stops of theirs.
   */
  runs: Generated<number>;
  runStops: Generated<number>;
  skips: Generated<number>;
  stops: Generated<number>;
  /**
   * Net price of the visits completed on the day: less discounts and credits, work of billing plans at its share.
   */
  worthCents: Generated<number>;
}

export interface AnalyticsJobMonths {
  businessId: string;
  capturedCents: number;
  completions: number;
  customerId: string;
  jobId: string;
  month: string;
  worthCents: number;
}

export interface AnalyticsJobs {
  businessId: string;
  capturedCents: number;
  completions: number;
  customerId: string;
  day: string;
  jobId: string;
  worthCents: number;
}

export interface AnalyticsMarks {
  businessId: string;
  byTransaction: string;
  day: string;
  id: string;
}

export interface AnalyticsMonths {
  businessId: string;
  month: string;
}

export interface ApplicationAmendments {
  amendedBy: string | null;
  businessId: string;
  createdAt: Generated<string>;
  facts: Json;
  id: string;
  keepOffUntil: string | null;
  number: number;
  productIds: string[];
  reason: string;
  recordId: string;
}

export interface ApplicationRecords {
  appliedAt: string;
  businessId: string;
  customerId: string | null;
  day: string;
  /**
   * When it came to us; more than 24 hours after the application it is late.
   */
  enteredAt: string;
  enteredBy: string | null;
  /**
   * The whole record; products, people, licenses and addresses as they were.
   */
  facts: Json;
  fromPhone: boolean;
  id: string;
  keepOffUntil: string | null;
  productIds: string[];
  propertyId: string | null;
  state: string;
  visitId: string | null;
}

export interface AuditLog {
  action: string;
  actorId: string | null;
  actorKind: string;
  after: Json | null;
  at: Generated<string>;
  before: Json | null;
  businessId: string;
  entityId: string | null;
  entityType: string;
  id: string;
  requestId: string | null;
}

export interface AutomaticInvoiceRuns {
  batchId: string | null;
  businessId: string;
  createdAt: Generated<string>;
  id: string;
  more: Generated<boolean>;
  /**
   * Visits that were left out because nobody knows what they cost, as far as they were listed.
   */
  noPrice: Generated<string[]>;
  onHold: Generated<number>;
  rhythm: "daily" | "monthly" | "weekly";
  turnOn: string;
}

export interface AutomationOptOuts {
  at: string;
  automationId: string;
  businessId: string;
  byUserId: string | null;
  customerId: string;
}

export interface AutomationRuns {
  automationId: string;
  businessId: string;
  channel: "email" | "sms" | null;
  createdAt: string;
  customerId: string;
  decidedAt: string | null;
  decidedBy: string | null;
  dueAt: string;
  id: string;
  /**
   * Which time of what it is about: the day of a treatment, the year of an offer; else empty.
   */
  occurrence: Generated<string>;
  ownSubject: string | null;
  /**
   * Words of this one alone, with their variables: written by somebody while it waited, or as somebody said yes to them.
   */
  ownText: string | null;
  /**
   * Where it is about; null where it is about the customer.
   */
  propertyId: string | null;
  /**
   * When it was put into the outbox; its message names it (entity automation_run).
   */
  queuedAt: string | null;
  reason: string | null;
  /**
   * Counts up where the same is said once more: a treatment that is back on a day after another one was told.
   */
  round: Generated<number>;
  saidDay: string | null;
  /**
   * The visit whose day its words named as they left, with that day: who moves it tells them.
   */
  saidVisitId: string | null;
  status: "canceled" | "dropped" | "sent" | "skipped" | "waiting";
  /**
   * What it is about, by the kind: a visit, job, quote or customer.
   */
  subjectId: string;
  updatedAt: string;
  version: Generated<number>;
}

export interface Automations {
  /**
   * self: it leaves by itself; ask: somebody of the office says yes to each.
   */
  approval: "ask" | "self";
  archivedAt: string | null;
  /**
   * Time of day in the zone of the business, where the kind counts in days.
   */
  atMinute: number | null;
  businessId: string;
  channels: string[];
  conditions: Generated<Json>;
  createdAt: Generated<string>;
  /**
   * Hours or days after or before what begins it, by the kind.
   */
  delay: number;
  enabled: Generated<boolean>;
  /**
   * Nothing leaves for what happened before.
   */
  enabledAt: string | null;
  /**
   * So many days one customer gets it once.
   */
  everyDays: number;
  id: string;
  kind: "dormant" | "quote_approved" | "quote_viewed" | "treatment_coming" | "upsell" | "visit_booked" | "visit_done" | "visit_skipped" | "win_back";
  name: string;
  /**
   * Month and day of an offer that is made once a year.
   */
  startsOn: string | null;
  subjectEn: string;
  subjectEs: Generated<string>;
  textEn: string;
  textEs: Generated<string>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface AutomationSettings {
  businessId: string;
  mostWeekly: Generated<number>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface AutopayCharges {
  announcedCents: number;
  businessId: string;
  chargeOn: string;
  createdAt: Generated<string>;
  declined: string | null;
  firstOn: string | null;
  invoiceId: string;
  methodId: string;
  status: Generated<"paid" | "stopped" | "waiting">;
  tries: Generated<number>;
  updatedAt: Generated<string>;
}

export interface BillingAccounts {
  businessId: string;
  checkoutAttempt: Generated<number>;
  checkoutId: string | null;
  checkoutPrice: string | null;
  createdAt: Generated<string>;
  customerId: string | null;
  livemode: boolean;
  provider: "local" | "stripe";
  syncApplied: Generated<number>;
  /**
   * Number of the last look at the provider that was begun; what an older look saw never replaces what a newer one saw.
   */
  syncAsked: Generated<number>;
  updatedAt: Generated<string>;
}

export interface BillingPlanChanges {
  after: Json;
  before: Json;
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  id: string;
  onDay: string;
  planId: string;
  reason: string;
  told: Generated<boolean>;
  undoneOn: string | null;
}

export interface BillingPlanDeliveries {
  businessId: string;
  id: string;
  listCents: number;
  onDay: string;
  planId: string;
  propertyId: string;
  taxCategory: string;
  visitId: string;
  visitLineId: string;
}

export interface BillingPlanLastInvoices {
  businessId: string;
  invoiceId: string;
  planId: string;
}

export interface BillingPlanLines {
  businessId: string;
  jobLineId: string;
  listCents: number;
  planId: string;
  propertyId: string;
  taxCategory: string;
  visits: number;
}

export interface BillingPlanMonths {
  billOn: string;
  businessId: string;
  /**
   * Before tax.
   */
  cents: number;
  id: string;
  invoiceId: string | null;
  month: string;
  planId: string;
  status: Generated<"billed" | "planned" | "stopped">;
}

export interface BillingPlans {
  billDay: number;
  businessId: string;
  carriedFrom: string | null;
  /**
   * What the plan before left open, by property and tax category: more than zero is still to be billed.
   */
  carry: Generated<Json>;
  createdAt: Generated<string>;
  createdBy: string | null;
  customerId: string;
  /**
   * The sum of its deliveries, at the prices of the visits.
   */
  deliveredListCents: Generated<number>;
  endsOn: string;
  /**
   * What its work comes to as the jobs stood when that was last looked at.
   */
  expectedListCents: number;
  /**
   * A month of it was due on this day and could not be billed; the office was told.
   */
  heldSince: string | null;
  id: string;
  kind: "budget" | "prepaid";
  /**
   * What its work is expected to come to at the prices of the visits; season_cents was agreed for it. Delivered work counts in this proportion.
   */
  listCents: number;
  name: string;
  /**
   * Why something else was agreed than the work comes to.
   */
  reason: Generated<string>;
  /**
   * What all its months come to before tax, without what was carried over.
   */
  seasonCents: number;
  settledBy: string | null;
  settledOn: string | null;
  settleInvoiceId: string | null;
  settlement: Json | null;
  settlePaymentId: string | null;
  startsOn: string;
  status: Generated<"active" | "discarded" | "settled">;
  /**
   * The day on which the last invoice of its settlement was voided; null once it is settled anew or taken back.
   */
  unsettledOn: string | null;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface BooksChecks {
  businessId: string;
  checkedAt: string | null;
  checkedBy: string | null;
  connectionId: string;
  /**
   * When the newest check got no answer; null once one did.
   */
  failedAt: string | null;
  month: string;
  /**
   * Why, in the words that were on the screen.
   */
  problem: Generated<string>;
  result: Json | null;
}

export interface BooksConnections {
  accessCipher: string | null;
  accessUntil: string | null;
  /**
   * Which accounts there things are booked to, by their ids.
   */
  accounts: Generated<Json>;
  /**
   * How far the first sending is: the kind of record and the last id of it. Null when all of it waits in the queue or is sent.
   */
  backfill: Json | null;
  businessId: string;
  companyName: Generated<string>;
  connectedBy: string | null;
  createdAt: Generated<string>;
  /**
   * Whether payments wait in Undeposited Funds there, so that a deposit names each of them. Null until the books were asked.
   */
  holdsPayments: boolean | null;
  id: string;
  livemode: boolean;
  /**
   * Refunds and disputes of before this day are expenses of the bank account, and the deposit of their payout is higher by them. Null: none is.
   */
  netFrom: string | null;
  pausedUntil: string | null;
  provider: "intuit" | "local";
  /**
   * The company at the provider. Its row stays over a disconnect, so that nothing is sent a second time after the next connect.
   */
  realmId: string;
  refreshCipher: string | null;
  /**
   * Somebody is trading the refresh token: it rotates, and two who trade the same one end the connection.
   */
  refreshingUntil: string | null;
  /**
   * Up to when changes made at the provider were asked for.
   */
  seenAt: string | null;
  /**
   * From this day on money goes to the books; null before the set-up.
   */
  startOn: string | null;
  status: "connected" | "disconnected" | "reconnect_needed";
  taxCode: string | null;
  taxMode: "code" | "line" | null;
  tokenVersion: Generated<number>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface BooksLeft {
  businessId: string;
  connectionId: string;
  leftAt: string;
  leftBy: string | null;
  reason: Generated<string>;
  remoteId: string;
  remoteType: string;
}

export interface BooksLinks {
  businessId: string;
  connectionId: string;
  /**
   * It was made there and came to us.
   */
  fromBooks: Generated<boolean>;
  /**
   * Part of the id of a request: the provider answers a repeat with the first answer, also when what it made was deleted since.
   */
  generation: Generated<number>;
  kind: "credit" | "customer" | "expense" | "invoice" | "item" | "method" | "movement" | "payment" | "payout" | "payout_back" | "refund" | "use" | "write_off";
  localId: string;
  remoteId: string | null;
  remoteType: string;
  /**
   * A digest of what was sent last: what is the same is not sent again.
   */
  sent: Generated<string>;
  state: Generated<"gone" | "live" | "void">;
  /**
   * What stands behind its name or number there, because that was taken.
   */
  suffix: Generated<string>;
  syncToken: Generated<string>;
  totalCents: number | null;
  updatedAt: Generated<string>;
}

export interface BooksQueue {
  /**
   * Raised by every change of the record: what changed while it was being sent is sent again.
   */
  asked: Generated<number>;
  businessId: string;
  connectionId: string;
  createdAt: Generated<string>;
  detail: Generated<Json>;
  id: string;
  kind: "credit" | "customer" | "expense" | "invoice" | "item" | "method" | "movement" | "payment" | "payout" | "payout_back" | "refund" | "use" | "write_off";
  localId: string;
  message: Generated<string>;
  problem: string | null;
  /**
   * Customers before invoices before payments.
   */
  rank: number;
  reason: Generated<string>;
  runAfter: Generated<string>;
  /**
   * A try began and its answer was not booked yet. Whoever finds it asks the provider first what became of it.
   */
  sendingAt: string | null;
  status: Generated<"failed" | "skipped" | "waiting">;
  tries: Generated<number>;
  updatedAt: Generated<string>;
}

export interface BooksRealms {
  businessId: string;
  provider: string;
  realmId: string;
}

export interface Businesses {
  /**
   * Nine of ten visits of the last weeks began within so many minutes of what their crew was sent; null until enough did.
   */
  arrivalErrorMinutes: number | null;
  arrivalMeasuredOn: string | null;
  arrivalStarts: Generated<number>;
  /**
   * When finished visits are invoiced without anybody pressing; empty is off.
   */
  autoInvoices: Generated<Json>;
  /**
   * Since when these turns hold: one that was before it is not made up for.
   */
  autoInvoicesSince: string | null;
  autopayNoticeDays: Generated<number>;
  /**
   * Whether customers may pay from a bank account beside a card.
   */
  bankDebits: Generated<boolean>;
  brandColor: Generated<string>;
  burdenPercent: Generated<number>;
  businessId: string;
  /**
   * What is taken off an invoice that is paid in full by bank, check or cash, in hundredths of a percent; 0 is off.
   */
  cashDiscountBps: Generated<number>;
  city: string | null;
  closedAt: string | null;
  companySize: string | null;
  createdAt: Generated<string>;
  customerCountClaimed: Generated<number>;
  defaultWageCents: Generated<number>;
  /**
   * A closed business is deleted with all its records after this instant; until then its owner can open it again.
   */
  deleteAfter: string | null;
  demo: Generated<boolean>;
  /**
   * Crew members who are allowed to may take cash and checks at a stop.
   */
  doorPayments: Generated<boolean>;
  driveExponent: Generated<number>;
  /**
   * Estimator of drives: seconds = factor * crow-flight km ^ drive_exponent.
   */
  driveFactorSeconds: Generated<number>;
  email: string | null;
  holidayRule: Generated<"next" | "previous" | "skip">;
  /**
   * Days on which no recurring visit falls; holiday_rule says where such a visit goes.
   */
  holidays: Generated<ArrayType<string>>;
  invoiceMessage: Generated<string>;
  /**
   * Days before (negative) and after the due day on which an open invoice is reminded of; none is off.
   */
  invoiceReminders: Generated<number[]>;
  invoiceTerms: Generated<string>;
  /**
   * What is charged for paying late; empty is nothing.
   */
  lateFees: Generated<Json>;
  /**
   * Late fees are switched on since this day: only invoices issued from it on can have one.
   */
  lateFeesFrom: string | null;
  latitude: number | null;
  /**
   * A price letter is about a day so far ahead, at least.
   */
  letterNoticeDays: Generated<number>;
  livemode: Generated<boolean>;
  logoFileId: string | null;
  longitude: number | null;
  mileCostCents: Generated<number>;
  name: string;
  /**
   * Texts of its own by notice and language: {"reminder.en": "..."}; what is missing is ours.
   */
  noticeTexts: Generated<Json>;
  /**
   * The product owner may open a checkout for a business whose account it made.
   */
  openedByProductOwner: Generated<boolean>;
  paperWay: Generated<"both" | "email" | "text">;
  /**
   * Whether customers may pay a part of an invoice on its page.
   */
  partPayments: Generated<boolean>;
  pastDueSince: string | null;
  phone: string | null;
  planTier: "basic" | "enterprise" | "pro" | null;
  publicAbout: Generated<string>;
  /**
   * Whether the public page shows the e-mail of the business.
   */
  publicEmail: Generated<boolean>;
  publicPage: Generated<boolean>;
  quietEndMinute: Generated<number>;
  quietStartMinute: Generated<number>;
  /**
   * Or so likely in one of them.
   */
  rainChancePercent: Generated<number>;
  /**
   * So much rain in the work hours of a day suggests moving it.
   */
  rainHundredthsInch: Generated<number>;
  /**
   * Minutes after midnight in the business's zone, kept out of quiet hours.
   */
  reminderMinute: Generated<number>;
  /**
   * Whom the day before is told: some is everything but recurring mowing.
   */
  reminders: Generated<"all" | "off" | "some">;
  /**
   * Owner and Admins must have a second step before they can work.
   */
  requireTwoFactor: Generated<boolean>;
  /**
   * cost: the least driving and labor; hour: crews end within an hour of each other; even: as even as can be.
   */
  routeEvenness: Generated<"cost" | "even" | "hour">;
  seasonEnd: Generated<string>;
  seasonStart: Generated<string>;
  /**
   * Whether the page of a finished visit shows what was ticked.
   */
  shareChecklists: Generated<boolean>;
  sharePhotos: Generated<boolean>;
  /**
   * Reasons for skipping with who uses them, what they ask for and what they charge; empty: the usual ones.
   */
  skipRules: Generated<Json>;
  /**
   * Present address of the public page. Earlier ones stay in slugs and lead here.
   */
  slug: string;
  /**
   * More wind than this flags treatments.
   */
  sprayWindMph: Generated<number>;
  state: string | null;
  street: string | null;
  /**
   * When a canceled subscription ends; null while it renews.
   */
  subscriptionEndsAt: string | null;
  subscriptionSince: string | null;
  subscriptionStatus: Generated<"active" | "canceled" | "incomplete" | "none" | "past_due" | "paused" | "trialing" | "unpaid">;
  targetLaborHourCents: Generated<number>;
  tellMoves: Generated<boolean>;
  tellOnWay: Generated<boolean>;
  termsDays: Generated<number>;
  timeZone: Generated<string>;
  /**
   * Whether customers can add a tip when they pay, and what is suggested; empty is off.
   */
  tips: Generated<Json>;
  /**
   * From this heat index on treatments are flagged.
   */
  treatHeatIndexF: Generated<number>;
  trialEndsAt: string | null;
  updatedAt: Generated<string>;
  /**
   * What lies on no invoice of a customer pays their invoices by itself, the oldest first.
   */
  useCredit: Generated<boolean>;
  version: Generated<number>;
  workDays: Generated<number[]>;
  zip: string | null;
}

export interface BusinessExports {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  expiresAt: string;
  /**
   * Its archives among the files: more than one where it is larger than one archive holds.
   */
  fileIds: Generated<string[]>;
  finishedAt: string | null;
  id: string;
  /**
   * The owner is mailed the way to it, because the business was closed.
   */
  mailed: Generated<boolean>;
  missingFiles: Generated<number>;
  status: Generated<"done" | "expired" | "failed" | "running">;
  stepsDone: Generated<number>;
  stepsTotal: Generated<number>;
  withFiles: Generated<boolean>;
}

export interface BusinessLeadEvents {
  at: string;
  businessId: string;
  data: Generated<Json>;
  id: string;
  kind: "again" | "assigned" | "call" | "changed" | "created" | "customer" | "next" | "note" | "stage";
  leadId: string;
  userId: string | null;
  words: Generated<string>;
}

export interface BusinessLeads {
  addressKey: Generated<string | null>;
  /**
   * When somebody really wrote or talked to them; replied_at is also set by moving the card on.
   */
  answeredAt: string | null;
  /**
   * Since when they wait for an answer: when they asked, or asked again after they were lost.
   */
  askedAt: Generated<string>;
  assigneeId: string | null;
  businessId: string;
  city: Generated<string>;
  convertedAt: string | null;
  createdAt: string;
  createdBy: string | null;
  customerId: string | null;
  /**
   * The lawn as the visitor drew it, [[latitude, longitude], …]: 3 to 200 corners that do not cross, near the address. Null where it was typed.
   */
  drawnRing: Json | null;
  email: string | null;
  id: string;
  latitude: number | null;
  lawnSquareFeet: number | null;
  longitude: number | null;
  lostNote: Generated<string>;
  lostReason: "competitor" | "declined" | "no_answer" | "not_offered" | "other" | "out_of_area" | "price" | "spam" | "timing" | null;
  name: string;
  nextAction: Generated<string>;
  nextActionOn: string | null;
  outOfArea: Generated<boolean>;
  phone: string | null;
  priceHighCents: number | null;
  priceLowCents: number | null;
  propertyId: string | null;
  referredBy: string | null;
  /**
   * When somebody of the business first answered; until then the timer runs.
   */
  repliedAt: string | null;
  requestCount: Generated<number>;
  /**
   * Made by the page that sent it: a form sent twice is one lead.
   */
  requestKey: string | null;
  source: "ad" | "call" | "email" | "neighbor" | "other" | "profile" | "referral" | "text" | "website";
  sourceDetail: Generated<string>;
  stage: Generated<"contacted" | "lost" | "new" | "quoted" | "won">;
  stageAt: string;
  /**
   * Who set the stage: what happened, or a person, whom what happened before does not overrule.
   */
  stageBy: Generated<"facts" | "person">;
  state: Generated<string>;
  street: Generated<string>;
  unit: Generated<string>;
  updatedAt: string;
  version: Generated<number>;
  wants: Generated<string>;
  zip: Generated<string>;
}

export interface CalendarEvents {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  crewId: string | null;
  deletedAt: string | null;
  endMinute: number | null;
  firstDay: string;
  id: string;
  kind: "other" | "shop" | "supplier" | "time_off";
  /**
   * Inclusive. At most 92 days after the first, so that a span of days is read by its first day alone.
   */
  lastDay: string;
  note: Generated<string>;
  /**
   * Paid for each of its working days; null: it is not paid.
   */
  paidMinutes: number | null;
  payKind: "holiday" | "sick" | "vacation" | null;
  /**
   * Minutes of each of its days; null for the whole day.
   */
  startMinute: number | null;
  title: string;
  updatedAt: Generated<string>;
  userId: string | null;
  version: Generated<number>;
}

export interface CalendarFeeds {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  crewId: string | null;
  id: string;
  revokedAt: string | null;
  userId: string | null;
}

export interface CampaignEvents {
  at: string;
  businessId: string;
  campaignId: string;
  customerId: string;
  id: string;
  isMachine: boolean;
  kind: "click" | "open";
  link: number | null;
}

export interface CampaignRecipients {
  address: string | null;
  businessId: string;
  campaignId: string;
  clickedAt: string | null;
  complainedAt: string | null;
  customerId: string;
  messageId: string | null;
  notBefore: string | null;
  openedAt: string | null;
  /**
   * Place in the order of those who could be reached when it was sorted. Who has none counts in neither group of what it brought.
   */
  place: number | null;
  queuedAt: string | null;
  /**
   * Comes from the ids of campaign and customer alone: the same people are held out and tested, whenever it is counted.
   */
  rank: number;
  reason: string | null;
  state: Generated<"chosen" | "held_out" | "left_out" | "queued" | "waiting">;
  /**
   * How often a message was put into the outbox. It rises only where the one before was taken back before it left.
   */
  tries: Generated<number>;
  unsubscribedAt: string | null;
  variant: "a" | "b" | null;
}

export interface Campaigns {
  businessId: string;
  byUserId: string | null;
  channel: "email" | "sms";
  chosen: Generated<number>;
  conditions: Generated<Json>;
  /**
   * Subjects, blocks and texts in English and Spanish, as features/campaigns/content/contract.ts reads them.
   */
  content: Json;
  createdAt: string;
  decideAt: string | null;
  decidedAt: string | null;
  endedAt: string | null;
  /**
   * Customers up to this id are in the audience; null once all are.
   */
  freezingAfter: string | null;
  heldOut: Generated<number>;
  holdoutPercent: Generated<number>;
  id: string;
  leaveOutRecent: Generated<boolean>;
  leftOut: Generated<number>;
  lookedAt: string | null;
  name: string;
  pausedAt: string | null;
  pauseReason: string | null;
  perHour: number;
  /**
   * How many of to_place have their place.
   */
  placed: Generated<number>;
  queued: Generated<number>;
  /**
   * Bounces and complaints count of what was queued since: whoever goes on after a stop has seen those before it.
   */
  resumedAt: string | null;
  /**
   * Since then it is known of everybody in the audience whether they can be reached, who is held out, and in which order they come.
   */
  sortedAt: string | null;
  startedAt: string | null;
  startsAt: string | null;
  status: Generated<"canceled" | "draft" | "finished" | "paused" | "running" | "scheduled">;
  /**
   * Before that instant nothing more is put into the outbox: this is what keeps the rate, however many workers there are.
   */
  stepAt: string | null;
  testBy: "clicks" | "opens" | null;
  testHours: number | null;
  testPercent: number | null;
  /**
   * How many could be reached when the audience was sorted; null until it is known.
   */
  toPlace: number | null;
  updatedAt: string;
  version: Generated<number>;
  winner: "a" | "b" | null;
}

export interface CardRequests {
  accountId: string | null;
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  customerId: string;
  expiresAt: string;
  id: string;
  mandate: Json | null;
  providerSessionId: string | null;
  status: Generated<"done" | "open">;
}

export interface CashHandIns {
  businessId: string;
  /**
   * The cash of the receipts that came with it; what was counted may differ, with a reason.
   */
  cashCents: number;
  checkCents: number;
  checkCount: number;
  confirmedBy: string | null;
  countedCents: number;
  createdAt: Generated<string>;
  id: string;
  onDay: string;
  reason: Generated<string>;
  undoneBy: string | null;
  undoneOn: string | null;
  undoneReason: string | null;
  userId: string;
}

export interface ChatMessages {
  authorId: string | null;
  businessId: string;
  createdAt: Generated<string>;
  fromOffice: boolean;
  id: string;
  number: number;
  /**
   * Day of arrival in the zone of the business: who was on the crew that day reads it.
   */
  onDay: string;
  /**
   * Photos that belong to it, in order; one without a row in chat_photos is still on its way.
   */
  photoIds: Generated<string[]>;
  text: string;
  threadId: string;
  visitId: string | null;
  /**
   * When it was written, on our clock: a phone without a signal sends later.
   */
  writtenAt: string;
}

export interface ChatPhotos {
  businessId: string;
  createdAt: Generated<string>;
  fileId: string;
  id: string;
  messageId: string;
}

export interface ChatReaders {
  businessId: string;
  readNumber: number;
  threadId: string;
  userId: string;
}

export interface ChatReads {
  businessId: string;
  readAt: string;
  threadId: string;
  upToNumber: number;
  userId: string;
}

export interface ChatThreads {
  businessId: string;
  createdAt: Generated<string>;
  crewId: string | null;
  id: string;
  kind: "crew" | "everybody" | "person";
  lastAt: string;
  /**
   * The number of the newest message; numbers go by the order of arrival.
   */
  lastNumber: number;
  /**
   * Of the notice that tells the office of unread messages, until they are read.
   */
  noticeKey: string | null;
  /**
   * Up to which message somebody of the office has read.
   */
  officeNumber: Generated<number>;
  /**
   * Messages of the crews after it.
   */
  officeUnread: Generated<number>;
  userId: string | null;
  /**
   * Goes up with every message, photo and receipt: a phone loads the thread again when it differs.
   */
  version: Generated<number>;
}

export interface CheckoutSessions {
  accountId: string | null;
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  /**
   * What is credited beside this attempt when it pays its invoice in full: its page takes no card, or it debits a bank account that is kept.
   */
  discountCents: Generated<number>;
  expiresAt: string;
  id: string;
  invoiceId: string;
  /**
   * Its payer chose to pay a part of what is open: it stays what it is when more is open, and ends when less is.
   */
  isPart: Generated<boolean>;
  kind: Generated<"autopay" | "page">;
  /**
   * The attempt on whose page this invoice is paid along with others; null for the page's own attempt.
   */
  leadId: string | null;
  livemode: Generated<boolean>;
  /**
   * What the customer agreed to when they chose to leave the card that they pay with; null where they did not.
   */
  mandate: Json | null;
  methodId: string | null;
  /**
   * Why the payer’s bank did not pay, by the provider’s own name.
   */
  problem: string | null;
  /**
   * When the payer’s bank was asked, where its answer takes days.
   */
  processingAt: string | null;
  provider: string;
  providerSessionId: string | null;
  status: Generated<"expired" | "failed" | "open" | "processing" | "succeeded">;
  /**
   * What the payer adds for the crew, on the first attempt of a page. A card that is charged by itself never adds one.
   */
  tipCents: Generated<number>;
  tryNumber: number | null;
  updatedAt: Generated<string>;
}

export interface ChemicalMixes {
  archivedAt: string | null;
  businessId: string;
  /**
   * Water for 1,000 square feet; null for what is spread dry.
   */
  carrierGallons: number | null;
  createdAt: Generated<string>;
  equipment: Generated<string>;
  id: string;
  method: Generated<string>;
  name: string;
  target: Generated<string>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface ChemicalMixProducts {
  businessId: string;
  mixId: string;
  position: number;
  productId: string;
  /**
   * Units of the product for 1,000 square feet.
   */
  rate: number;
}

export interface ChemicalMixServices {
  businessId: string;
  mixId: string;
  serviceId: string;
}

export interface ChemicalNeighborNotices {
  businessId: string;
  /**
   * The day that they were told; a visit that moves is told again.
   */
  forDay: string;
  how: string;
  id: string;
  neighborId: string;
  toldAt: string;
  toldBy: string | null;
  visitId: string;
}

export interface ChemicalNeighbors {
  askedOn: string;
  businessId: string;
  /**
   * How they are told: a phone number, an address, a door.
   */
  contact: string;
  createdAt: Generated<string>;
  id: string;
  name: string;
  note: Generated<string>;
  propertyId: string;
  removedAt: string | null;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface ChemicalProducts {
  archivedAt: string | null;
  businessId: string;
  createdAt: Generated<string>;
  epaNumber: Generated<string>;
  formulation: Generated<string>;
  id: string;
  /**
   * The most that the label allows for 1,000 square feet, in the product's unit; null where nobody typed it.
   */
  labelHigh: number | null;
  /**
   * The least that the label says for 1,000 square feet, in the product's unit; null where nobody typed it.
   */
  labelLow: number | null;
  labelUrl: Generated<string>;
  /**
   * What a license has to allow for it, as licenses name it; empty: nobody needs one.
   */
  licenseSkill: Generated<string>;
  name: string;
  /**
   * So long nobody goes on the lawn after it.
   */
  reentryHours: Generated<number>;
  restricted: Generated<boolean>;
  signalWord: Generated<"" | "caution" | "danger" | "warning">;
  unit: "fl oz" | "g" | "gal" | "lb" | "ml" | "oz";
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface ChemicalSettings {
  /**
   * A crew finishes a treatment only with a complete record.
   */
  blockFinish: Generated<boolean>;
  businessId: string;
  tellCustomers: Generated<boolean>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface ConsentEvents {
  action: "grant" | "revoke";
  actorId: string | null;
  address: string;
  at: Generated<string>;
  businessId: string;
  channel: "email" | "sms";
  id: string;
  purpose: "marketing" | "transactional";
  /**
   * The day on which they said it, where somebody wrote it down for them; null where the instant of the row is their own.
   */
  saidOn: string | null;
  source: string;
  wording: Generated<string>;
}

export interface ConversationNotes {
  /**
   * The number that the note is about, as long as nobody knows whose it is.
   */
  address: string | null;
  body: string;
  businessId: string;
  createdAt: Generated<string>;
  customerId: string | null;
  id: string;
  userId: string | null;
}

export interface Conversations {
  assigneeId: string | null;
  businessId: string;
  closedAt: string | null;
  closedBy: string | null;
  customerId: string;
  snoozedBy: string | null;
  /**
   * Until then it rests. What has passed is no snooze any more, whether the task that wakes it has run or not.
   */
  snoozedUntil: string | null;
  /**
   * The newest message of a person, of them or of us, is theirs. What leaves by itself answers nobody; what a machine wrote asks for nothing.
   */
  unanswered: Generated<boolean>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface Counters {
  businessId: string;
  name: string;
  next: number;
}

export interface Coupons {
  code: string;
  createdAt: Generated<string>;
  endedAt: string | null;
  expiresAt: string | null;
  maxUses: number | null;
  /**
   * Off the first invoice of a subscription, in percent.
   */
  percentOff: number;
  uses: Generated<number>;
}

export interface CouponUses {
  businessId: string;
  code: string;
  providerSubscriptionId: string;
  usedAt: Generated<string>;
}

export interface CreditNoteParts {
  businessId: string;
  creditNoteId: string;
  invoiceId: string;
  taxCents: number;
  totalCents: number;
}

export interface CreditNotes {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  customerId: string;
  id: string;
  invoiceId: string | null;
  /**
   * It is the discount for paying without a card, not a mistake made good.
   */
  isDiscount: Generated<boolean>;
  netCents: number;
  number: number;
  onDay: string;
  paymentId: string;
  reason: string;
  /**
   * Of its total, with net_cents. Below zero where tax comes on top of what is credited of the work.
   */
  taxCents: number;
  totalCents: number;
}

export interface CrewChanges {
  after: Json;
  before: Json;
  businessId: string;
  id: string;
  madeAt: Generated<string>;
  madeBy: string | null;
  undoneAt: string | null;
  userId: string;
}

export interface CrewCommands {
  /**
   * How often a person has sent it; a higher number asks anew what was not applied.
   */
  attempt: Generated<number>;
  businessId: string;
  decidedAt: string | null;
  decidedBy: string | null;
  /**
   * counts: the work was applied after all; stands: the visit stays as the office had it.
   */
  decision: "counts" | "stands" | null;
  decisionNote: Generated<string>;
  /**
   * What the phone said, right or wrong.
   */
  deviceAt: string;
  /**
   * The same on our clock.
   */
  happenedAt: string;
  id: string;
  payload: Json;
  reason: string | null;
  receivedAt: Generated<string>;
  result: "applied" | "conflict" | "refused";
  type: string;
  userId: string;
  visitId: string | null;
}

export interface CrewDaysOff {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  crewId: string;
  day: string;
  id: string;
  reason: "out" | "rain";
}

export interface CrewDevicePeople {
  businessId: string;
  createdAt: Generated<string>;
  deviceId: string;
  userId: string;
}

export interface CrewDevices {
  businessId: string;
  createdAt: Generated<string>;
  id: string;
  lastUsedAt: string | null;
  secretHash: string;
  userAgent: Generated<string>;
}

export interface CrewMembers {
  businessId: string;
  createdAt: Generated<string>;
  crewId: string;
  id: string;
  userId: string;
  validFrom: string;
  /**
   * Last day on the crew, inclusive; null while it lasts.
   */
  validTo: string | null;
}

export interface Crews {
  archivedAt: string | null;
  breakMinutes: Generated<number>;
  businessId: string;
  color: string;
  createdAt: Generated<string>;
  depotLatitude: number | null;
  depotLongitude: number | null;
  depotStreet: Generated<string>;
  driveFactorPercent: Generated<number>;
  id: string;
  leaderUserId: string | null;
  name: string;
  position: Generated<number>;
  shiftEndMinute: Generated<number>;
  shiftStartMinute: Generated<number>;
  skills: Generated<string[]>;
  updatedAt: Generated<string>;
  vehicleName: Generated<string>;
  vehiclePlate: Generated<string>;
  vehicleSeats: number | null;
  version: Generated<number>;
  /**
   * Weekdays (Sunday is 0) whose shift is another one: [{weekday, startMinute, endMinute, breakMinutes}].
   */
  weekdayShifts: Generated<Json>;
  workDays: Generated<number[]>;
}

export interface CustomerBalances {
  balanceCents: number;
  businessId: string;
  customerId: string;
}

export interface CustomerCalls {
  at: string;
  businessId: string;
  createdAt: Generated<string>;
  customerId: string;
  direction: "in" | "out";
  id: string;
  note: Generated<string>;
  outcome: "no_answer" | "talked" | "voicemail";
  userId: string | null;
  version: Generated<number>;
}

export interface CustomerContacts {
  businessId: string;
  createdAt: Generated<string>;
  customerId: string;
  email: string | null;
  id: string;
  invoicesBy: "both" | "email" | "text" | null;
  marketingBy: "both" | "email" | "text" | null;
  name: string;
  note: Generated<string>;
  phone: string | null;
  quotesBy: "both" | "email" | "text" | null;
  role: Generated<"billing" | "gate" | "household" | "manager" | "other" | "tenant">;
  updatedAt: Generated<string>;
  version: Generated<number>;
  visitsBy: "both" | "email" | "text" | null;
}

export interface CustomerMerges {
  at: string;
  /**
   * What the kept customer's changed fields were.
   */
  before: Json;
  businessId: string;
  byUserId: string | null;
  goneId: string;
  id: string;
  /**
   * Work or money moved, so it cannot be taken back.
   */
  isFinal: Generated<boolean>;
  keptId: string;
  keptVersion: number;
  /**
   * Ids by kind: {properties, contacts, calls, tasks, notes, messages}.
   */
  moved: Json;
  undoneAt: string | null;
  wasArchived: boolean;
}

export interface CustomerNotes {
  at: string;
  body: string;
  businessId: string;
  customerId: string;
  id: string;
  userId: string | null;
}

export interface CustomerNotices {
  businessId: string;
  customerId: string;
  muted: Generated<string[]>;
  /**
   * When a reminder last found no way to the customer; they are tried again after an hour, or once their record changed.
   */
  noWayAt: string | null;
}

export interface Customers {
  archivedAt: string | null;
  /**
   * How often this customer is invoiced without anybody pressing; empty is as the business has it.
   */
  autoInvoices: "daily" | "monthly" | "never" | "weekly" | null;
  billingCity: string | null;
  billingState: string | null;
  billingStreet: string | null;
  billingZip: string | null;
  businessId: string;
  company: string | null;
  createdAt: Generated<string>;
  /**
   * Values of custom fields by the id of the field: text, number or yes/no; a day as YYYY-MM-DD, a choice by its id.
   */
  custom: Generated<Json>;
  email: string | null;
  /**
   * What goes to the customer's own e-mail and phone; what nobody gets of invoices and quotes goes there all the same.
   */
  gets: Generated<string[]>;
  holdInvoices: Generated<boolean>;
  id: string;
  importId: string | null;
  invoiceGrouping: "customer" | "property" | "visit" | null;
  language: Generated<string>;
  name: string;
  /**
   * The business charges this customer nothing for paying late, whatever its rule says.
   */
  noLateFees: Generated<boolean>;
  notes: Generated<string>;
  paperWay: "both" | "email" | "text" | null;
  phone: string | null;
  source: Generated<string>;
  /**
   * What the program that a customer came from calls them, as "jobber:4711": a second file of it finds them again.
   */
  sourceKey: string | null;
  stage: Generated<"active" | "lead" | "past">;
  tags: Generated<string[]>;
  taxCertificate: string | null;
  taxExempt: Generated<boolean>;
  termsDays: number | null;
  type: Generated<"commercial" | "residential">;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface CustomFields {
  archivedAt: string | null;
  businessId: string;
  /**
   * [{id, name, gone}]: what can be chosen, in order; one that is gone is still shown where it was chosen.
   */
  choices: Generated<Json>;
  createdAt: Generated<string>;
  id: string;
  name: string;
  position: number;
  record: "customer" | "property";
  type: "choice" | "date" | "number" | "text" | "yesno";
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface CustomValues {
  businessId: string;
  customerId: string;
  fieldId: string;
  /**
   * A number as it is, a day as days since 1970; null for the rest.
   */
  number: number | null;
  propertyId: string | null;
  recordId: string;
  /**
   * The value in lower case, at most 200 characters; "true" and "false", the id of a choice, a day.
   */
  word: string;
}

export interface DisputeCovers {
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  disputeId: string;
  id: string;
  onDay: string;
  refundId: string;
}

export interface DisputeInvoices {
  businessId: string;
  disputeId: string;
  invoiceId: string;
}

export interface Disputes {
  accountId: string;
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  decidedOn: string | null;
  dueAt: string | null;
  evidenceText: string | null;
  feeCents: Generated<number>;
  id: string;
  kind: "dispute" | "inquiry" | "return";
  livemode: boolean;
  /**
   * When the look at the provider began that was booked last: one that began earlier is not booked over it.
   */
  lookedAt: string | null;
  /**
   * Where the money is now: the bank took it, or gave it back. What it took counts as gone back on the payment (payments.refunded_cents).
   */
  money: Generated<"none" | "returned" | "taken">;
  movedCents: Generated<number>;
  movedOn: string | null;
  openedOn: string;
  paymentId: string;
  problem: string | null;
  provider: string;
  providerDisputeId: string;
  reason: string;
  returnedOn: string | null;
  status: "closed" | "lost" | "needs_response" | "under_review" | "won";
  submission: Generated<"none" | "refused" | "sending" | "sent">;
  submittedAt: string | null;
  submittedBy: string | null;
  /**
   * What the bank took beyond what was left of the payment: it had gone back before. It is no debt of the customer but a loss, until it is won.
   */
  uncoveredCents: Generated<number>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface DisputeTurns {
  /**
   * What of it counts as gone back on the payment; uncovered_cents had gone back before and is a loss.
   */
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  disputeId: string;
  id: string;
  kind: "returned" | "taken";
  onDay: string;
  uncoveredCents: Generated<number>;
}

export interface DoorCardDoors {
  addressKey: Generated<string | null>;
  askedAt: string;
  businessId: string;
  cardId: string;
  city: string;
  position: number;
  state: string;
  street: string;
  zip: string;
}

export interface DoorCards {
  businessId: string;
  byUserId: string | null;
  /**
   * Stands in the QR code: a lead that comes in by it names the stop.
   */
  code: string;
  createdAt: string;
  id: string;
  language: "en" | "es";
  offer: string;
  propertyId: string;
  /**
   * Taken back: its doors may get another card. Its code still names the stop, in case one hangs somewhere.
   */
  undoneAt: string | null;
}

export interface DoorReceipts {
  businessId: string;
  checkNumber: Generated<string>;
  collectedAt: string;
  createdAt: Generated<string>;
  handInId: string | null;
  id: string;
  paymentId: string;
  photoFileId: string | null;
  /**
   * What the phone showed before the receipt had its number.
   */
  reference: string;
  userId: string;
  visitId: string | null;
}

export interface EmergencyContacts {
  businessId: string;
  name: string;
  phone: string;
  relation: Generated<string>;
  updatedAt: Generated<string>;
  userId: string;
  version: Generated<number>;
}

export interface EmployeeInvites {
  acceptedAt: string | null;
  address: string;
  businessId: string;
  channel: "email" | "sms";
  createdAt: Generated<string>;
  expiresAt: string;
  id: string;
  invitedBy: string | null;
  revokedAt: string | null;
  userId: string;
}

export interface Equipment {
  archivedAt: string | null;
  /**
   * When it was last brought back: what a phone found before then takes it out no more.
   */
  backSince: string | null;
  businessId: string;
  createdAt: Generated<string>;
  id: string;
  kind: "mower" | "other" | "trailer" | "truck";
  meter: "hours" | "miles" | null;
  model: Generated<string>;
  name: string;
  /**
   * The defect of a crew that took it out; null where the office did.
   */
  outDefectId: string | null;
  outReason: Generated<string>;
  /**
   * Nobody is to use it, from then on.
   */
  outSince: string | null;
  /**
   * Serial number, or the VIN of a truck.
   */
  serial: Generated<string>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface EquipmentCrews {
  businessId: string;
  crewId: string;
  equipmentId: string;
  id: string;
  validFrom: string;
  validTo: string | null;
}

export interface EquipmentPlans {
  archivedAt: string | null;
  businessId: string;
  createdAt: Generated<string>;
  equipmentId: string;
  everyMonths: number | null;
  everyTenths: number | null;
  fromEarlierTenths: Generated<number>;
  fromOn: string;
  fromTenths: Generated<number>;
  id: string;
  version: Generated<number>;
  what: string;
}

export interface EquipmentReadings {
  businessId: string;
  createdAt: Generated<string>;
  /**
   * What the meters before this one counted: together with tenths, what the piece has done. Below zero for a used meter that began higher.
   */
  earlierTenths: Generated<number>;
  equipmentId: string;
  id: string;
  /**
   * The first reading of another meter.
   */
  newMeter: Generated<boolean>;
  readAt: string;
  readOn: string;
  /**
   * Why the meter went back: it was put right or replaced.
   */
  reason: Generated<string>;
  source: "check" | "office" | "service";
  /**
   * A phone's reading that cannot be right beside the others waits for the office: doubted, until it counts or is left out.
   */
  state: Generated<"counted" | "doubted" | "left_out">;
  /**
   * Tenths of an hour or mile, as the meter shows.
   */
  tenths: number;
  userId: string | null;
}

export interface EquipmentWork {
  businessId: string;
  createdAt: Generated<string>;
  doneOn: string;
  earlierTenths: Generated<number>;
  equipmentId: string;
  expenseId: string | null;
  id: string;
  note: Generated<string>;
  planId: string | null;
  removedAt: string | null;
  tenths: number | null;
  userId: string | null;
  what: string;
}

export interface EventLooks {
  /**
   * What happened before is here; a look begins a day sooner.
   */
  lookedAt: string;
  provider: string;
}

export interface Events {
  at: Generated<string>;
  businessId: string;
  id: string;
  name: string;
  payload: Json;
}

export interface ExpenseCategories {
  archivedAt: string | null;
  businessId: string;
  /**
   * Of a standard category, whatever it is called by now; null for one of the business's own.
   */
  code: string | null;
  createdAt: Generated<string>;
  id: string;
  name: string;
  position: Generated<number>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface ExpenseParts {
  amountCents: number;
  businessId: string;
  crewId: string | null;
  expenseId: string;
  id: string;
  jobId: string | null;
  position: number;
  vehicle: Generated<string>;
  visitId: string | null;
}

export interface ExpenseReceipts {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  expenseId: string;
  fileId: string;
  id: string;
  removedAt: string | null;
}

export interface Expenses {
  businessId: string;
  categoryId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  day: string;
  deletedAt: string | null;
  id: string;
  method: "account" | "bank" | "card" | "cash" | "check" | "payout" | "personal";
  note: Generated<string>;
  paidBy: string | null;
  recurringId: string | null;
  reimbursedOn: string | null;
  /**
   * It came from a crew's phone or by mail and nobody of the office has looked at it yet.
   */
  review: Generated<boolean>;
  source: Generated<"crew" | "mail" | "office" | "payout" | "recurring">;
  /**
   * What makes a mail's receipt come in once.
   */
  sourceKey: string | null;
  taxCents: Generated<number>;
  /**
   * What was paid, sales tax included. 0 only while the receipt waits for somebody to read it.
   */
  totalCents: number;
  updatedAt: Generated<string>;
  vendor: Generated<string>;
  version: Generated<number>;
}

export interface ExtraConsents {
  accuracyMeters: number | null;
  answer: "no" | "yes";
  at: string;
  businessId: string;
  createdAt: string;
  deviceAt: string | null;
  extraId: string;
  ip: string | null;
  latitude: number | null;
  longitude: number | null;
  signer: Generated<string>;
  strokes: Json | null;
  userId: string | null;
  way: "link" | "signature";
  /**
   * What they read, word for word, with the price of that moment.
   */
  words: string;
}

export interface ExtraSettings {
  businessId: string;
  /**
   * {on, asks, steps: [{id, en, es, percent, cents}]}; of percent and cents one is null.
   */
  overgrown: Json;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface Files {
  businessId: string;
  byteCount: number;
  createdAt: Generated<string>;
  createdBy: string | null;
  height: number | null;
  id: string;
  kind: string;
  mime: string;
  name: Generated<string>;
  sha256: string;
  storageKey: string;
  width: number | null;
}

export interface GateCodeReveals {
  at: Generated<string>;
  businessId: string;
  id: string;
  propertyId: string;
  userId: string;
  visitId: string | null;
}

export interface GeocodedAddresses {
  addressKey: string;
  askedOn: string;
  businessId: string;
  label: Generated<string>;
  latitude: number | null;
  longitude: number | null;
  quality: "county" | "none" | "rooftop" | "street" | "zip";
  service: string;
  /**
   * The service knows more than one such address.
   */
  several: Generated<boolean>;
}

export interface HeldPhotos {
  accuracyMeters: number | null;
  businessId: string;
  caption: Generated<string>;
  /**
   * Of a check: the phone's command about the money, which is the id of its receipt once the money is booked.
   */
  commandId: string | null;
  createdAt: Generated<string>;
  fileId: string;
  id: string;
  kind: "after" | "before" | "check" | "other";
  latitude: number | null;
  longitude: number | null;
  takenAt: string | null;
  userId: string;
  /**
   * As the phone named it; the visit itself may be gone.
   */
  visitId: string;
}

export interface HeldTimes {
  action: "break_end" | "break_start" | "clock_in" | "clock_out" | "switch";
  at: string;
  businessId: string;
  /**
   * The command of the phone; a leader's for the crew is one for each of them.
   */
  commandId: string;
  crewId: string | null;
  decidedAt: string | null;
  decidedBy: string | null;
  decision: "counted" | "left_out" | null;
  endedAt: string | null;
  id: string;
  kind: "rain" | "shop" | "work" | null;
  receivedAt: string;
  saidBy: Generated<string>;
  skewSeconds: Generated<number>;
  userId: string;
  week: string;
}

export interface IdempotencyKeys {
  actor: string;
  /**
   * The answer as it was sent, JSON. Null: work in steps that has begun and not ended; a repeat takes it up.
   */
  answer: string | null;
  businessId: string;
  createdAt: Generated<string>;
  endpoint: string;
  key: string;
  requestHash: string;
}

export interface ImportRows {
  /**
   * Its customer was there before: the row adds to them.
   */
  attached: Generated<boolean>;
  /**
   * What the check found in the row besides its customer.
   */
  brings: Generated<string[]>;
  businessId: string;
  /**
   * Given by the check, before anything is written: a second run of the same rows finds its own customers.
   */
  customerId: string | null;
  data: Json;
  /**
   * What was empty on its customer and property before, field by field: an undo empties it again.
   */
  filled: Json | null;
  importId: string;
  line: number;
  /**
   * Whom a double is taken for.
   */
  matchId: string | null;
  propertyId: string | null;
  reasons: Generated<Json>;
  status: Generated<"duplicate" | "error" | "new" | "ok" | "undone" | "written">;
}

export interface Imports {
  archivedCount: Generated<number>;
  balanceCents: Generated<number>;
  businessId: string;
  columns: Generated<Json>;
  createdAt: Generated<string>;
  createdBy: string | null;
  /**
   * Customers that the good rows make: several rows of one customer are one.
   */
  customerCount: Generated<number>;
  doneCount: Generated<number>;
  duplicateCount: Generated<number>;
  error: string | null;
  errorCount: Generated<number>;
  fileName: string;
  finishedAt: string | null;
  /**
   * The headers of the file, hashed: the next file that looks like it is matched as this one was.
   */
  headerKey: Generated<string>;
  id: string;
  jobCount: Generated<number>;
  kind: Generated<string>;
  madeServices: Generated<string[]>;
  mapping: Generated<Json>;
  okCount: Generated<number>;
  preset: Generated<string>;
  /**
   * Customers that an undo left because work or money hangs on them.
   */
  remainingCount: Generated<number>;
  remembered: Generated<boolean>;
  rowCount: Generated<number>;
  /**
   * As the file names them, with how many rows of jobs ask for each and which service of the business it is; null is added as a new one.
   */
  services: Generated<Json>;
  source: Generated<string>;
  status: "checked" | "checking" | "done" | "failed" | "running" | "undoing" | "undone" | "uploaded";
  updatedAt: Generated<string>;
  updateDuplicates: Generated<boolean>;
  withDuplicates: Generated<boolean>;
}

export interface InvoiceBatches {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  /**
   * How many of the planned invoices were looked at; raised in the transaction that makes them, so a batch that was cut off goes on after the last one.
   */
  done: Generated<number>;
  error: string | null;
  id: string;
  invoiceCount: Generated<number>;
  mailedCount: Generated<number>;
  /**
   * Per invoice its visits and what they come to, frozen when the batch was confirmed: no other invoice is made than the ones that were seen.
   */
  planned: Json;
  send: boolean;
  status: "done" | "failed" | "running";
  total: number;
  totalCents: Generated<number>;
  /**
   * Also the sign that a running batch still moves.
   */
  updatedAt: Generated<string>;
  visitCount: Generated<number>;
}

export interface InvoiceLines {
  businessId: string;
  description: string;
  discountCents: Generated<number>;
  id: string;
  invoiceId: string;
  /**
   * What is left of it after its share of the invoice's discount; null on lines made before this was kept.
   */
  netCents: number | null;
  position: Generated<number>;
  propertyId: string | null;
  quantity: Generated<number>;
  serviceId: string | null;
  serviceOn: string | null;
  taxCategory: Generated<string>;
  /**
   * The state by which it was taxed, as its place stood then.
   */
  taxState: string | null;
  /**
   * taxed: a rate was charged; exempt: one would have been; untaxed: none is charged on such work there.
   */
  taxTreatment: "exempt" | "taxed" | "untaxed" | null;
  totalCents: number;
  unitPriceCents: number;
  visitId: string | null;
  /**
   * Unique: a line of a visit is billed once, whoever asks how often. Cleared when the invoice is voided.
   */
  visitLineId: string | null;
}

export interface Invoices {
  /**
   * When its reminders and late fees stopped because its customer wrote or paid a part; null once the office said how it goes on.
   */
  answeredAt: string | null;
  batchId: string | null;
  billTo: Generated<Json>;
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  customerId: string;
  discountCents: Generated<number>;
  /**
   * A payment of it is disputed and not decided yet: nobody is reminded, nothing is charged, no page takes money for it.
   */
  disputed: Generated<boolean>;
  dueOn: string | null;
  id: string;
  importId: string | null;
  issueOn: string | null;
  lastRemindedAt: string | null;
  livemode: Generated<boolean>;
  /**
   * The voided invoice that it was made again from.
   */
  madeFrom: string | null;
  message: Generated<string>;
  number: number;
  /**
   * Set where the invoice is what a customer owed before this business came here: which program said so. It was income there, never here.
   */
  openingFrom: string | null;
  paidCents: Generated<number>;
  /**
   * The day on which the money came that paid it in full, never before its issue day; null while something is open, and on an invoice over nothing.
   */
  paidOn: string | null;
  /**
   * On its way from a bank: no money yet, and nothing to ask for a second time.
   */
  pendingCents: Generated<number>;
  printedAt: string | null;
  /**
   * The customer said that they pay by this day; until then nothing reminds them.
   */
  promisedOn: string | null;
  /**
   * The signed quote that it was made from as a whole; work that became a job is billed by its visits instead.
   */
  quoteId: string | null;
  /**
   * The day on which it reached its customer after what was sent before had come back, where that is later than the day it was late from; reopened_on is the same day until money is gone again. Null for all others.
   */
  reachedOn: string | null;
  /**
   * When reminders were taken up again: what the customer wrote or paid before does not stop them.
   */
  remindersFrom: string | null;
  /**
   * Why no reminder leaves by itself any more; null while they do.
   */
  remindersStopped: string | null;
  /**
   * The last day on which money that was on it was gone again, it was written off no more, or it reached its customer at last (reached_on): late fees and reminders count from it where it is later than the due day. Its age in the lists does not.
   */
  reopenedOn: string | null;
  /**
   * The version of the rules (tax by place and day, spread of discounts, rounding) that its sums came from, set when it is issued; null on a draft and on what was issued before this was kept.
   */
  rulesVersion: number | null;
  /**
   * Who wrote it, as it stood when it was issued: name, address and terms on its paper. Null on a draft, and on what was issued before this was kept.
   */
  sender: Json | null;
  sentAt: string | null;
  status: Generated<"draft" | "issued" | "paid" | "partially_paid" | "void" | "written_off">;
  subtotalCents: Generated<number>;
  taxCents: Generated<number>;
  termsDays: Generated<number>;
  totalCents: Generated<number>;
  updatedAt: Generated<string>;
  version: Generated<number>;
  viewCount: Generated<number>;
  viewedAt: string | null;
}

export interface InvoiceTaxes {
  baseCents: number;
  businessId: string;
  id: string;
  invoiceId: string;
  name: string;
  position: Generated<number>;
  ratePercent: number;
  taxCents: number;
}

export interface InvoiceTotals {
  businessId: string;
  count: number;
  status: string;
}

export interface JobBatches {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  done: Generated<number>;
  error: string | null;
  id: string;
  /**
   * Frozen when the action was confirmed, so that the jobs made are the ones that were counted on screen.
   */
  propertyIds: string[];
  request: Json;
  status: "done" | "failed" | "running" | "undone";
  total: number;
  updatedAt: Generated<string>;
}

export interface JobEditJobs {
  businessId: string;
  editId: string;
  jobId: string;
  /**
   * When it was taken back on this job; job_edits.undone_at is when the last of its jobs was.
   */
  undoneAt: string | null;
  /**
   * What was changed of the job, its lines and visits, as it stood before and after.
   */
  was: Json;
}

export interface JobEdits {
  businessId: string;
  change: Json;
  createdAt: Generated<string>;
  createdBy: string | null;
  id: string;
  summary: Json;
  undoneAt: string | null;
  undoneBy: string | null;
}

export interface JobLines {
  archivedAt: string | null;
  /**
   * Labor minutes on site for one visit.
   */
  budgetMinutes: Generated<number>;
  businessId: string;
  createdAt: Generated<string>;
  description: Generated<string>;
  /**
   * The open day of a rule that counts from when its last visit was done; null for every other rule.
   */
  dueOn: string | null;
  id: string;
  jobId: string;
  /**
   * Prices after the one of next_price_on, by day: [{"on": "2026-07-01", "cents": 5800}].
   */
  laterPrices: Generated<Json>;
  nextPriceOn: string | null;
  /**
   * What it costs from next_price_on; visits before that day keep unit_price_cents.
   */
  nextUnitPriceCents: number | null;
  onceOn: string | null;
  position: Generated<number>;
  quantity: Generated<number>;
  recurrence: Json | null;
  serviceId: string;
  /**
   * What holds instead of days: a round of a program with its window, a place on the waiting list, or on demand.
   */
  undated: Json | null;
  unitPriceCents: number;
  updatedAt: Generated<string>;
}

export interface Jobs {
  /**
   * When a draft became work; null of what never was a draft.
   */
  activatedAt: string | null;
  archivedAt: string | null;
  batchId: string | null;
  billing: Generated<"flat" | "none" | "per_visit">;
  businessId: string;
  /**
   * When somebody ended it before its time; null where nobody had worked on it yet, and once it goes on.
   */
  canceledAt: string | null;
  createdAt: Generated<string>;
  createdBy: string | null;
  crewId: string | null;
  customerId: string;
  /**
   * Crew, billing and lines as they are until a day ({until, crewId, billing, lines}), the soonest first; from the last of these days on the job's own hold.
   */
  earlierTerms: Generated<Json>;
  endOn: string | null;
  /**
   * Visits exist up to and including this day; the nightly top-up goes on from here.
   */
  horizonOn: string | null;
  id: string;
  importId: string | null;
  instructions: Generated<string>;
  /**
   * The customer keeps this day and week: the season planner never proposes another one.
   */
  keepDay: Generated<boolean>;
  /**
   * First day after horizon_on that the rules name, null when they have come to their end: winter is not the end of a job.
   */
  nextOn: string | null;
  number: number;
  pausedUntil: string | null;
  poNumber: Generated<string>;
  programId: string | null;
  /**
   * The next season of its program is made a fixed time ahead.
   */
  programRenews: Generated<boolean>;
  programYear: number | null;
  propertyId: string;
  /**
   * The quote that it was made from, with what else that quote became; a job that was added by hand has none.
   */
  quoteId: string | null;
  /**
   * The job of the next season; once it is there no other is made, also when it was canceled.
   */
  renewedAs: string | null;
  startOn: string;
  status: Generated<"active" | "canceled" | "completed" | "draft" | "paused">;
  title: string;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface JobTotals {
  businessId: string;
  overCount: number;
}

export interface LateFees {
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  feeInvoiceId: string;
  id: string;
  invoiceId: string;
  onDay: string;
  /**
   * The number of the fee among those of its invoice: how many times 30 days it was late beyond the days of grace; where there is a second fee, 0 is the first and 1 the second, and what repeats counts on.
   */
  period: number;
  waivedBy: string | null;
  waivedOn: string | null;
  waivedReason: string | null;
}

export interface LeadRequests {
  at: string;
  businessId: string;
  /**
   * The work that was ticked on the business page: a list of { serviceId, frequency }; empty where they only wrote.
   */
  chosen: Generated<Json>;
  city: Generated<string>;
  email: string | null;
  id: string;
  lawnSquareFeet: number | null;
  leadId: string;
  name: Generated<string>;
  phone: string | null;
  priceHighCents: number | null;
  priceLowCents: number | null;
  requestKey: string | null;
  source: "ad" | "call" | "email" | "neighbor" | "other" | "profile" | "referral" | "text" | "website";
  sourceDetail: Generated<string>;
  state: Generated<string>;
  street: Generated<string>;
  unit: Generated<string>;
  wants: Generated<string>;
  zip: Generated<string>;
}

export interface LeadSettings {
  areaKind: Generated<"anywhere" | "drawn" | "zips">;
  /**
   * Corners as [latitude, longitude], without the first one again at the end.
   */
  areaRing: Json | null;
  areaZips: Generated<string[]>;
  /**
   * The office says yes before anything is booked.
   */
  bookAsks: Generated<boolean>;
  bookDaysAhead: Generated<number>;
  bookMostDaily: Generated<number>;
  bookOn: Generated<boolean>;
  /**
   * Services that can be booked into a day on the page; each of them has a price there too.
   */
  bookServiceIds: Generated<string[]>;
  businessId: string;
  formOn: Generated<boolean>;
  pricesOn: Generated<boolean>;
  referralFriendCents: Generated<number>;
  referralGiverCents: Generated<number>;
  referralOn: Generated<boolean>;
  replyOn: Generated<boolean>;
  replyText: string;
  /**
   * Services that the public page names a price range for; none means all that mow.
   */
  serviceIds: Generated<string[]>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface LeadWays {
  businessId: string;
  /**
   * The number that people dial, as the office knows it; calls to it are told apart by the address that the provider calls.
   */
  callNumber: string | null;
  /**
   * The phone that rings; without one nobody takes calls here.
   */
  forwardTo: string | null;
  mailOn: Generated<boolean>;
  /**
   * Whoever picks up presses a key first, so that a mailbox does not count as an answer.
   */
  pressKey: Generated<boolean>;
  ringSeconds: Generated<number>;
  strangerLanguage: Generated<"en" | "es">;
  textEn: string;
  textEs: string;
  textOn: Generated<boolean>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface LedgerEntries {
  /**
   * What the customer owes more (positive) or less (negative). The balance is the sum; entries are never changed.
   */
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  customerId: string;
  id: string;
  kind: "adjustment" | "credit" | "dispute" | "invoice" | "payment" | "refund" | "tip" | "void" | "write_off";
  onDay: string;
  refId: string;
  refType: string;
  /**
   * The day of what this takes back, where that day was in a closed month by then: elsewhere it stays under that day, and this stands beside it.
   */
  undoesOn: string | null;
}

export interface Licenses {
  businessId: string;
  createdAt: Generated<string>;
  deletedAt: string | null;
  /**
   * The last day on which it is valid.
   */
  expiresOn: string;
  id: string;
  number: Generated<string>;
  /**
   * The skill that it stands for. Once anybody has a license for a skill, a crew has that skill only by a valid one.
   */
  skill: string;
  state: string;
  updatedAt: Generated<string>;
  userId: string;
  validFrom: string | null;
  version: Generated<number>;
}

export interface LocalBillingObjects {
  createdAt: Generated<string>;
  id: string;
  kind: "account" | "account_link" | "charge" | "checkout" | "customer" | "debit" | "dispute" | "method" | "move" | "payout" | "portal";
  payload: Json;
  requestKey: string | null;
}

export interface LocalBooks {
  changedAt: string;
  id: string;
  payload: Json;
  realmId: string;
  type: string;
}

export interface LocalCheckoutSessions {
  createdAt: Generated<string>;
  expiresAt: string;
  id: string;
  payload: Json;
  paymentIntent: string | null;
  status: Generated<"complete" | "expired" | "open">;
}

export interface LocalDnsRecords {
  name: string;
  type: "CNAME" | "TXT";
  value: string;
}

export interface LocalRefunds {
  amountCents: Generated<number>;
  createdAt: Generated<string>;
  failed: Generated<boolean>;
  id: string;
  mark: Json | null;
  paymentIntent: string;
}

export interface Mailings {
  about: "offer" | "service";
  businessId: string;
  byUserId: string | null;
  chosen: number;
  createdAt: string;
  id: string;
  leavesAt: string;
  /**
   * Customers whom nothing was sent to: id and reason. At most as many as were chosen.
   */
  leftOut: Generated<Json>;
  stoppedAt: string | null;
  subject: string;
  textEn: string;
  textEs: string;
  /**
   * Customers whom nothing was sent to, because nothing may or can reach them.
   */
  unreached: Generated<number>;
  updatedAt: string;
  /**
   * Customers for whom nothing stands in the outbox yet, in the order in which they come.
   */
  waiting: string[];
  way: "best" | "email" | "sms";
}

export interface MailTroubles {
  address: string;
  businessId: string;
  day: string;
  reason: string;
}

export interface MaterialLawsOff {
  businessId: string;
  createdAt: Generated<string>;
  reason: string;
  state: string;
  userId: string | null;
}

export interface MaterialMoves {
  businessId: string;
  id: string;
  kind: "count" | "received" | "used";
  materialId: string;
  movedAt: string;
  note: Generated<string>;
  onHandAfter: number;
  /**
   * What there is more (positive) or less (negative) by it.
   */
  packages: number;
  userId: string | null;
  visitId: string | null;
}

export interface MaterialPlans {
  /**
   * Exact, in the material's unit: packages are counted over all of a day.
   */
  amount: number;
  businessId: string;
  choice: Json;
  createdAt: Generated<string>;
  id: string;
  materialId: string;
  /**
   * Where, in words, for when the visit is gone.
   */
  place: string;
  /**
   * It was taken from what is on hand.
   */
  usedAt: string | null;
  userId: string | null;
  visitId: string | null;
}

export interface Materials {
  archivedAt: string | null;
  businessId: string;
  /**
   * Of one package.
   */
  costCents: number | null;
  createdAt: Generated<string>;
  germinationPercent: number | null;
  id: string;
  kind: "compost" | "fertilizer" | "gravel" | "herbicide" | "lime" | "mulch" | "other" | "seed" | "sod" | "topsoil";
  name: string;
  nitrogenPercent: number | null;
  /**
   * Packages: the sum of its moves, kept with each of them.
   */
  onHand: Generated<number>;
  package: "bag" | "box" | "jug" | "pallet" | "piece" | "roll" | "yard";
  /**
   * How much of `unit` is in one package.
   */
  packageSize: number;
  phosphatePercent: number | null;
  potashPercent: number | null;
  /**
   * The product of the library whose label says how much of it may go down.
   */
  productId: string | null;
  purityPercent: number | null;
  reorderAt: number | null;
  /**
   * Of the nitrogen, what is slow release by the label.
   */
  slowPercent: number | null;
  unit: "cu ft" | "each" | "fl oz" | "g" | "gal" | "lb" | "ml" | "oz" | "sq ft" | "yd";
  updatedAt: Generated<string>;
  version: Generated<number>;
  /**
   * Of one package; null where it follows from the package or nobody knows.
   */
  weightPounds: number | null;
}

export interface MaterialSettings {
  businessId: string;
  /**
   * What a truck of the business carries: a load above it is warned of.
   */
  payloadPounds: Generated<number>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface MaterialWants {
  businessId: string;
  createdAt: Generated<string>;
  doneAt: string | null;
  id: string;
  materialId: string;
  note: Generated<string>;
  packages: number;
  received: Generated<number>;
  userId: string | null;
}

export interface MealPremiums {
  businessId: string;
  day: string;
  id: string;
  saidAt: string;
  saidBy: string | null;
  userId: string;
}

export interface Messages {
  address: string;
  /**
   * It asks for money that is open: recalled when there is nothing to ask for any more.
   */
  asks: Generated<boolean>;
  attachments: Generated<Json>;
  attempts: Generated<number>;
  bodyHtml: string | null;
  bodyText: string;
  businessId: string;
  channel: "email" | "portal" | "sms";
  /**
   * The month, in the zone of the business, on whose texts it counts; null for what has not left and what no plan counts.
   */
  countedMonth: string | null;
  createdAt: Generated<string>;
  customerId: string | null;
  dedupeKey: string;
  deliveredAt: string | null;
  direction: Generated<"inbound" | "outbound">;
  /**
   * Somebody looked at it and said that nothing is to be done about it not having arrived.
   */
  dismissedAt: string | null;
  entityId: string | null;
  entityType: string | null;
  fromName: Generated<string>;
  id: string;
  livemode: Generated<boolean>;
  /**
   * What came with a text and cannot be shown, as a sentence: a video, a photo that could not be fetched.
   */
  notKept: string | null;
  openedAt: string | null;
  provider: string | null;
  providerId: string | null;
  purpose: Generated<"account" | "marketing" | "reply" | "transactional">;
  reason: string | null;
  runAfter: string | null;
  segments: Generated<number>;
  sentAt: string | null;
  /**
   * The address that a mail left from.
   */
  sentFrom: string | null;
  status: Generated<"delivered" | "failed" | "held" | "pending" | "received" | "sending" | "sent" | "suppressed" | "unknown">;
  /**
   * A text that may ask for no more texts: open, or what the office said it meant. Null for all others.
   */
  stopDoubt: "fine" | "open" | "stop" | null;
  /**
   * Why what this message is about must not be sent any more, whatever its status: its invoice was voided. Null while it may.
   */
  stoppedReason: string | null;
  subject: Generated<string>;
  updatedAt: Generated<string>;
  userId: string | null;
}

export interface MessageTemplates {
  archivedAt: string | null;
  businessId: string;
  createdAt: Generated<string>;
  id: string;
  name: string;
  subjectEn: Generated<string>;
  subjectEs: Generated<string>;
  textEn: string;
  textEs: Generated<string>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface MinutesDismissals {
  /**
   * What was planned then; another plan is another question.
   */
  budgetMinutes: number;
  businessId: string;
  dismissedAt: Generated<string>;
  dismissedBy: string | null;
  jobLineId: string;
  /**
   * What was proposed then, in labor minutes; it is proposed again when newer visits say something that differs from this.
   */
  learnedMinutes: number;
}

export interface MissedCalls {
  at: string;
  businessId: string;
  callId: string;
  /**
   * A text went back to who called.
   */
  texted: Generated<boolean>;
}

export interface MonthClosings {
  action: "closed" | "exception" | "reopened";
  businessId: string;
  /**
   * The books are closed up to this day from then on; null while nothing is.
   */
  closedThrough: string | null;
  createdAt: Generated<string>;
  createdBy: string | null;
  detail: Generated<string>;
  id: string;
  /**
   * What was still open when the month was closed, as it was shown.
   */
  leftOpen: Json | null;
  /**
   * The last day of the month that was closed, the first of the one that was reopened, or the day of the movement that was let in.
   */
  onDay: string;
  reason: Generated<string>;
  seq: number;
}

export interface NotificationDigests {
  businessId: string;
  hour: number;
  /**
   * Until when news are in a mail already
   */
  lastAt: string;
  /**
   * The last day of the business that was looked at; its mail left, or there was nothing
   */
  lastOn: string;
  userId: string;
}

export interface NotificationMutes {
  businessId: string;
  channel: "bell" | "mail";
  createdAt: Generated<string>;
  topic: "chat" | "jobs" | "money" | "needsYou" | "other" | "quotes" | "replies";
  userId: string;
}

export interface Notifications {
  businessId: string;
  content: Generated<string>;
  createdAt: Generated<string>;
  /**
   * What a crew's phone makes its own words of (CrewNotice); null for what is only for the bell.
   */
  crew: Json | null;
  customerId: string | null;
  dedupeKey: string | null;
  id: string;
  /**
   * It stood in a digest, and no other one says it again
   */
  mailed: Generated<boolean>;
  path: string | null;
  /**
   * Who it is for wants none of its kind on the bell: it stands there not, and goes into their digest
   */
  quiet: Generated<boolean>;
  readAt: string | null;
  title: string;
  /**
   * Which kind of news it is; null for what is older than the choice
   */
  topic: "chat" | "day" | "jobs" | "money" | "needsYou" | "other" | "quotes" | "replies" | "time" | null;
  type: "email" | "invoice" | "job" | "other" | "quote" | "sms" | "system";
  userId: string;
}

export interface NumberConversations {
  address: string;
  assigneeId: string | null;
  businessId: string;
  closedAt: string | null;
  closedBy: string | null;
  snoozedBy: string | null;
  snoozedUntil: string | null;
  /**
   * The newest text of a person, of them or of us, is theirs. What leaves by itself answers nobody; a word to the machine, as STOP, asks for nothing.
   */
  unanswered: Generated<boolean>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface OdometerReadings {
  businessId: string;
  createdBy: string | null;
  crewId: string;
  day: string;
  endMiles: number;
  id: string;
  startMiles: number;
  updatedAt: Generated<string>;
}

export interface OfficeTasks {
  businessId: string;
  /**
   * The call whose follow-up it is.
   */
  callId: string | null;
  createdAt: Generated<string>;
  createdBy: string | null;
  customerId: string | null;
  doneAt: string | null;
  doneBy: string | null;
  dueOn: string;
  id: string;
  note: Generated<string>;
  ownerId: string | null;
  title: string;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface OwnCarMiles {
  businessId: string;
  day: string;
  id: string;
  note: Generated<string>;
  tenthMiles: number;
  updatedAt: Generated<string>;
  userId: string;
}

export interface PageBookings {
  address: Json;
  businessId: string;
  createdAt: string;
  crewId: string;
  day: string;
  heldUntil: string;
  /**
   * Made by the page that asks: it holds one place, however often it asks.
   */
  id: string;
  isExact: boolean;
  jobId: string | null;
  latitude: number;
  leadId: string | null;
  /**
   * What was told: service, how often, price in cents, labor minutes. Nothing the browser says later changes it.
   */
  lines: Json;
  longitude: number;
  minutes: number;
  priceCents: number;
  squareFeet: number;
  status: "asked" | "booked" | "held" | "refused";
  updatedAt: string;
}

export interface PaymentAccountLookups {
  accountId: string;
  businessId: string;
}

export interface PaymentAccounts {
  accountId: string;
  businessId: string;
  chargesEnabled: Generated<boolean>;
  createdAt: Generated<string>;
  detailsSubmitted: Generated<boolean>;
  /**
   * Switched off here: nothing more is charged into it, what was paid can still be given back.
   */
  disconnectedAt: string | null;
  /**
   * When the last look through the provider's events was begun that came to its end; null before the first.
   */
  eventsLookedAt: string | null;
  id: string;
  livemode: boolean;
  pausedReason: string | null;
  payoutsEnabled: Generated<boolean>;
  provider: "local" | "stripe";
  /**
   * The business took our access away at the provider; the account is never used again.
   */
  removedAt: string | null;
  requirements: Generated<Json>;
  syncApplied: Generated<number>;
  /**
   * Number of the last look at the provider that was begun; what an older look saw never replaces what a newer one saw.
   */
  syncAsked: Generated<number>;
  updatedAt: Generated<string>;
}

export interface PaymentAllocations {
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  id: string;
  invoiceId: string;
  paymentId: string;
}

export interface PaymentCustomers {
  businessId: string;
  createdAt: Generated<string>;
  customerId: string;
  provider: string;
}

export interface PaymentDiscounts {
  businessId: string;
  createdAt: Generated<string>;
  /**
   * The credit of the note that stands now; null where none does.
   */
  creditId: string | null;
  discountCents: number;
  invoiceId: string;
  /**
   * What of the payment is on the invoice no more, so that it is owed again; the discount goes in that proportion.
   */
  lostCents: Generated<number>;
  paidCents: number;
  paymentId: string;
}

export interface PaymentMethods {
  accountId: string;
  autopay: Generated<boolean>;
  /**
   * Why invoices are not paid with it by themselves any more, where it was not the customer's or the office's wish.
   */
  autopayEnded: string | null;
  autopayEndedAt: string | null;
  brand: string;
  businessId: string;
  createdAt: Generated<string>;
  customerId: string;
  expMonth: number | null;
  expYear: number | null;
  id: string;
  /**
   * A bank account has no day on which it expires; its bank stands as the brand.
   */
  kind: Generated<"bank" | "card">;
  last4: string;
  livemode: boolean;
  mandateAt: string;
  mandateIp: string | null;
  mandatePage: string;
  mandateText: string;
  mandateVersion: number;
  noticeDays: Generated<number>;
  provider: string;
  providerCustomerId: string;
  providerMethodId: string;
  removedAt: string | null;
  stoppedByHolderAt: string | null;
  warnedAt: string | null;
}

export interface Payments {
  /**
   * The account of the business that a provider took it into; null for what came outside, or before accounts.
   */
  accountId: string | null;
  /**
   * What of it lies on invoices or is a tip; with what went back never more than came in. The rest is the customer's credit.
   */
  allocatedCents: Generated<number>;
  amountCents: number;
  /**
   * Of a payment taken in QuickBooks its id without the invoice: qbo:<company>:<payment>.
   */
  booksPaymentId: Generated<string | null>;
  businessId: string;
  checkoutSessionId: string | null;
  createdAt: Generated<string>;
  createdBy: string | null;
  customerId: string;
  /**
   * A bank holds it until it has decided: it cannot be refunded meanwhile.
   */
  disputed: Generated<boolean>;
  feeCents: Generated<number>;
  /**
   * The quote that it was the deposit of came to nothing, or is on an invoice of its own: the rest is credit that any invoice may use.
   */
  freedAt: string | null;
  id: string;
  /**
   * A deposit for this job alone: it waits for invoices of its work and is put on no other by itself.
   */
  jobId: string | null;
  livemode: Generated<boolean>;
  method: "ach" | "card" | "cash" | "check" | "credit" | "other";
  note: Generated<string>;
  provider: Generated<string>;
  providerPaymentId: string | null;
  /**
   * The deposit of a quote: it pays invoices of the work that the quote becomes, the oldest first, and nothing else by itself.
   */
  quoteId: string | null;
  receiptNumber: number | null;
  receivedOn: string;
  refundedCents: Generated<number>;
  status: Generated<"disputed" | "failed" | "pending" | "processing" | "reversed" | "succeeded">;
  /**
   * What of it is a tip now; counts as used (allocated_cents), so that it is nobody's credit.
   */
  tipCents: Generated<number>;
  /**
   * The invoice on whose page the tip was given: its visits say whose it is.
   */
  tipInvoiceId: string | null;
  /**
   * The visit at which the tip was handed over: who worked there share it.
   */
  tipVisitId: string | null;
  /**
   * The office put it on several invoices when it was recorded.
   */
  together: Generated<boolean>;
}

export interface PayoutLines {
  amountCents: number;
  businessId: string;
  feeCents: number;
  /**
   * returned: an earlier payout that a bank sent back.
   */
  kind: "dispute" | "fee" | "other" | "payment" | "refund" | "returned";
  lineId: string;
  madeAt: string;
  payoutId: string;
  /**
   * The provider's id of the payment, refund or dispute: looked up when it is read, so that a payout may be known before its payments.
   */
  sourceId: string | null;
  words: Generated<string>;
}

export interface Payouts {
  accountId: string;
  amountCents: number;
  arrivesOn: string;
  /**
   * The day of the books on which it reached the bank: when it arrived, or later where that month was closed.
   */
  bookedOn: string | null;
  businessId: string;
  createdAt: Generated<string>;
  failedOn: string | null;
  failure: string | null;
  /**
   * What the provider kept: the fees of its lines and those that are lines of their own.
   */
  feeCents: Generated<number>;
  id: string;
  lineCount: Generated<number>;
  /**
   * What its lines come to after fees. Should be its amount; what it is not is named.
   */
  linesCents: Generated<number>;
  /**
   * Whether the provider has told all that it is made of; never where somebody asked for it by hand at the provider.
   */
  linesTold: Generated<"all" | "coming" | "never">;
  livemode: boolean;
  madeOn: string;
  provider: string;
  providerPayoutId: string;
  status: "canceled" | "failed" | "on_its_way" | "paid";
  updatedAt: Generated<string>;
}

export interface PayrollFiles {
  businessId: string;
  content: string;
  fromDay: string;
  grossCents: number;
  id: string;
  madeAt: string;
  madeBy: string | null;
  mileageCents: number;
  name: string;
  people: number;
  preset: "adp" | "gusto" | "paychex" | "plain" | "quickbooks";
  toDay: string;
  /**
   * It was not read in: its weeks are free for another file.
   */
  withdrawnAt: string | null;
  withdrawnBy: string | null;
}

export interface PayrollFileWeeks {
  businessId: string;
  fileId: string;
  grossCents: number;
  id: string;
  mileageCents: number;
  userId: string;
  week: string;
}

export interface PayrollLines {
  belowMinimum: boolean;
  bonusCents: number;
  businessId: string;
  costCents: number;
  /**
   * How each of the seven days is paid, as clocked: [{regular, overtime, double}] in seconds.
   */
  days: Json | null;
  doubleSeconds: number;
  grossCents: number;
  id: string;
  /**
   * The same line by line, as a payroll's file takes it.
   */
  items: Json;
  lawns: number;
  /**
   * Premium hours for meals that the law asks for and nobody had, in gross_cents.
   */
  mealCents: Generated<number>;
  mileageCents: number;
  /**
   * Paid time off, in gross_cents; no part of overtime or of its rate.
   */
  offCents: Generated<number>;
  offSeconds: Generated<number>;
  overtimeSeconds: number;
  pieceCents: number;
  premiumCents: number;
  regularSeconds: number;
  tenthMiles: number;
  userId: string;
  usualWage: boolean;
  week: string;
}

export interface PayrollNumbers {
  businessId: string;
  id: string;
  number: string;
  userId: string;
}

export interface PayrollSettings {
  businessId: string;
  /**
   * Earning codes that are another at this business's provider: {adp: {vacation: "V"}}. What is not here has its usual name.
   */
  codes: Generated<Json>;
  companyCode: Generated<string>;
  dailyHours: number | null;
  doubleHours: number | null;
  /**
   * What a mile in an own car is paid, in tenths of a cent.
   */
  mileTenthCents: Generated<number>;
  overtime: Generated<"own" | "state">;
  preset: Generated<"adp" | "gusto" | "paychex" | "plain" | "quickbooks">;
  /**
   * How the payroll reads clock times; what is kept are whole seconds.
   */
  roundingMinutes: Generated<number>;
  updatedAt: Generated<string>;
  version: Generated<number>;
  weeklyHours: Generated<number>;
}

export interface PayrollWeeks {
  businessId: string;
  id: string;
  /**
   * Its pay stands in payroll_lines; false for weeks that were locked before these were kept.
   */
  kept: Generated<boolean>;
  /**
   * Its pay was put down only then, by what was known then; it had been locked before.
   */
  keptLaterAt: string | null;
  lockedAt: string;
  lockedBy: string | null;
  /**
   * The overtime rule of the business in words, when it was locked.
   */
  rule: string | null;
  week: string;
}

export interface PersonDocumentFiles {
  businessId: string;
  documentId: string;
  /**
   * The bytes, encrypted with the key of this installation.
   */
  sealed: string;
}

export interface PersonDocuments {
  addedBy: string | null;
  businessId: string;
  byteCount: number;
  createdAt: Generated<string>;
  expiresOn: string | null;
  id: string;
  kind: "certificate" | "contract" | "i9" | "license" | "medical" | "other" | "w4";
  mime: "application/pdf" | "image/jpeg" | "image/png" | "image/webp";
  name: Generated<string>;
  /**
   * Off the list; 30 days later it is deleted with what it shows.
   */
  removedAt: string | null;
  updatedAt: Generated<string>;
  userId: string;
  version: Generated<number>;
}

export interface PhotoMarks {
  at: string;
  businessId: string;
  photoId: string;
  /**
   * [{id, color, points}]: x and y in turn, as shares of the picture from 0 to 1.
   */
  strokes: Json;
  userId: string | null;
  visitId: string;
}

export interface PortalLinks {
  address: string;
  businessId: string;
  channel: "email" | "sms";
  createdAt: Generated<string>;
  expiresAt: string;
  id: string;
  sentBy: string | null;
  usedAt: string | null;
}

export interface PortalRequests {
  answer: Generated<string>;
  answeredAt: string | null;
  answeredBy: string | null;
  businessId: string;
  contactId: string | null;
  createdAt: Generated<string>;
  customerId: string;
  fields: Generated<Json>;
  id: string;
  jobId: string | null;
  kind: "address" | "pause" | "service";
  /**
   * Of the form that it was sent with: a form that is sent twice asks once.
   */
  onceKey: string;
  /**
   * What the price book said for their lawn when they asked; null where it says nothing.
   */
  priceCents: number | null;
  propertyId: string | null;
  serviceId: string | null;
  status: Generated<"declined" | "done" | "open" | "withdrawn">;
  title: string;
  until: string | null;
  words: Generated<string>;
}

export interface PortalSessions {
  address: string;
  businessId: string;
  channel: "email" | "sms";
  contactId: string | null;
  createdAt: Generated<string>;
  /**
   * Null until somebody with several records has chosen.
   */
  customerId: string | null;
  expiresAt: string;
  id: string;
  language: "en" | "es" | null;
  lastUsedAt: Generated<string>;
  /**
   * The person changed their own address in this session: it goes on although its address is no longer on file.
   */
  readdressed: Generated<boolean>;
  revokedAt: string | null;
  secretHash: string;
}

export interface PortalSettings {
  businessId: string;
  enabled: Generated<boolean>;
  pauseAllowed: Generated<boolean>;
  pauseDays: Generated<number>;
  requestsAllowed: Generated<boolean>;
  /**
   * Services that customers may ask for; of those that are gone nothing is shown.
   */
  serviceIds: Generated<string[]>;
  skipAllowed: Generated<boolean>;
  /**
   * Until so many hours before a visit its customer may skip it.
   */
  skipHours: Generated<number>;
  /**
   * The skip reason that a skip in the portal is given; its charge holds.
   */
  skipReason: Generated<string>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface PositionConsents {
  businessId: string;
  since: string;
  userId: string;
}

export interface Positions {
  accuracyMeters: number;
  at: string;
  businessId: string;
  id: string;
  latitude: number;
  longitude: number;
  userId: string;
}

export interface PriceChangeLines {
  afterCents: number;
  beforeCents: number;
  businessId: string;
  changeId: string;
  jobLineId: string;
}

export interface PriceChanges {
  afterCents: number;
  /**
   * A month in season of the work that it changed, in the old prices.
   */
  beforeCents: number;
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  fromOn: string;
  id: string;
  kind: "letter" | "raise" | "rule";
  lineCount: number;
  printedAt: string | null;
  printedBy: string | null;
  /**
   * Customers whose letter was printed, the last of them at printed_at.
   */
  printedCustomerIds: Generated<string[]>;
  request: Json;
  scope: "future" | "new";
  serviceNames: string[];
  /**
   * When every notice of it stood in the outbox: from then on whoever has none that left or waits is to be told on paper.
   */
  toldAt: string | null;
  toldCount: Generated<number>;
  undoneAt: string | null;
  undoneBy: string | null;
  visitCount: number;
}

export interface ProductOwnerTwoFactor {
  confirmedAt: string | null;
  createdAt: Generated<string>;
  lastStep: number | null;
  name: string;
  recoveryHashes: Generated<string[]>;
  secret: string;
}

export interface Programs {
  archivedAt: string | null;
  businessId: string;
  createdAt: Generated<string>;
  id: string;
  name: string;
  /**
   * What a job of the program begins with; each says for itself whether it renews.
   */
  renews: Generated<boolean>;
  /**
   * The rounds in order. A job that was made from them keeps its own: a change of the program is for new ones.
   */
  steps: Json;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface Properties {
  addressKey: Generated<string | null>;
  archivedAt: string | null;
  businessId: string;
  city: Generated<string>;
  clippings: Generated<"bag" | "mulch" | "side">;
  createdAt: Generated<string>;
  custom: Generated<Json>;
  customerId: string;
  difficulty: Generated<number>;
  dog: Generated<string>;
  gateCodeCipher: string | null;
  /**
   * Why the place is not better known, for the office.
   */
  geocodeNote: Generated<string>;
  geocodeQuality: Generated<"approximate" | "county" | "exact" | "manual" | "none" | "rooftop" | "street" | "zip">;
  /**
   * Since when the address waits to be looked up; null when it does not.
   */
  geocodeWantedAt: string | null;
  id: string;
  importId: string | null;
  latitude: number | null;
  lawnMeasuredAt: string | null;
  lawnMeasuredBy: string | null;
  lawnMeasuredHow: "areas" | "typed" | null;
  lawnSquareFeet: number | null;
  longitude: number | null;
  mowHeightInches: number | null;
  noGo: Generated<string>;
  notes: Generated<string>;
  parking: Generated<string>;
  state: Generated<string>;
  street: string;
  unit: Generated<string>;
  updatedAt: Generated<string>;
  version: Generated<number>;
  zip: Generated<string>;
}

export interface PropertyAreas {
  businessId: string;
  changedBy: string | null;
  createdAt: Generated<string>;
  feetAround: number | null;
  id: string;
  kind: "bed" | "edge" | "other" | "turf";
  name: Generated<string>;
  position: number;
  propertyId: string;
  /**
   * The outline and then its holes, each a list of [latitude, longitude] that closes by itself; null when the size was typed.
   */
  rings: Json | null;
  squareFeet: number;
  updatedAt: Generated<string>;
}

export interface PropertyMerges {
  at: string;
  before: Json;
  businessId: string;
  byUserId: string | null;
  goneId: string;
  id: string;
  keptId: string;
  keptVersion: number;
  /**
   * By table the ids that went to the kept property.
   */
  moved: Json;
  /**
   * The measurements of the other property stand: both changed theirs.
   */
  swapped: boolean;
  undoneAt: string | null;
}

export interface PublicTokens {
  businessId: string;
  createdAt: Generated<string>;
  entityId: string;
  expiresAt: string | null;
  kind: string;
  revokedAt: string | null;
  tokenHash: string;
}

export interface PushDevices {
  /**
   * Encrypted: the web endpoint with its keys, or the token of the phone.
   */
  address: string;
  addressHash: string;
  businessId: string;
  createdAt: Generated<string>;
  /**
   * The sign-in that switched it on; it ends with it.
   */
  familyId: string;
  id: string;
  /**
   * Which of our keys a browser subscribed with; null for phones.
   */
  keyId: string | null;
  kind: "android" | "ios" | "web";
  language: "en" | "es";
  seenAt: Generated<string>;
  userId: string;
}

export interface PushMutes {
  businessId: string;
  createdAt: Generated<string>;
  topic: "chat" | "day" | "jobs" | "money" | "needsYou" | "other" | "quotes" | "replies" | "time";
  userId: string;
}

export interface PushSends {
  /**
   * What is told (PushAbout), put into words when it is sent; never prices or gate codes.
   */
  about: Json;
  businessId: string;
  claimedAt: string | null;
  createdAt: Generated<string>;
  deviceId: string;
  doneAt: string | null;
  id: string;
  /**
   * The same to the same device is sent once.
   */
  noticeKey: string;
  path: string | null;
  reason: Generated<string>;
  result: "local" | "refused" | "sent" | "stale" | null;
  tag: string;
}

export interface QuoteDeposits {
  accountId: string;
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  expiresAt: string;
  id: string;
  livemode: boolean;
  paymentId: string | null;
  provider: string;
  providerSessionId: string | null;
  quoteId: string;
  status: Generated<"expired" | "open" | "succeeded">;
}

export interface QuoteEvents {
  at: string;
  businessId: string;
  id: string;
  kind: "approved" | "archived" | "changes_requested" | "converted" | "created" | "declined" | "deposit_kept" | "deposit_paid" | "expired" | "follow_up" | "revised" | "sent" | "viewed";
  quoteId: string;
  revision: number;
  userId: string | null;
  words: Generated<string>;
}

export interface QuoteRevisions {
  businessId: string;
  content: Json;
  id: string;
  quoteId: string;
  revision: number;
  sentAt: string;
  sentBy: string | null;
}

export interface QuoteRules {
  businessId: string;
  densityMinutes: Generated<number>;
  /**
   * Hundredths of a percent off where the best day adds at most density_minutes of driving a visit; 0 gives none.
   */
  densityPercent: Generated<number>;
  offersDay: Generated<boolean>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface Quotes {
  answeredAt: string | null;
  approvedAt: string | null;
  businessId: string;
  /**
   * The package and options that were approved: {packageId, lineIds}.
   */
  choice: Json | null;
  /**
   * Lines, packages, discount, deposit, message, terms and photos, as the office works on them (features/quotes/contract.ts, QuoteContent).
   */
  content: Json;
  convertedAt: string | null;
  createdAt: Generated<string>;
  createdBy: string | null;
  customerId: string;
  depositCents: Generated<number>;
  firstSentAt: string | null;
  /**
   * The day of the next follow-up; null when none comes any more.
   */
  followOn: string | null;
  followStep: Generated<number>;
  id: string;
  /**
   * A crew noted it on site: services, areas and photos, no price.
   */
  isCrewDraft: Generated<boolean>;
  jobId: string | null;
  /**
   * The request that it was made of: what becomes of the quote moves that lead and no other.
   */
  leadId: string | null;
  lostReason: "competitor" | "no_answer" | "other" | "price" | "scope" | "timing" | null;
  note: Generated<string>;
  number: number;
  propertyId: string;
  /**
   * Goes up when a quote that was sent is worked on again; each that was sent is kept.
   */
  revision: Generated<number>;
  sellerId: string | null;
  sentAt: string | null;
  source: Generated<string>;
  status: "approved" | "archived" | "changes_requested" | "converted" | "declined" | "draft" | "expired" | "sent" | "viewed";
  templateId: string | null;
  title: string;
  /**
   * With the options that are chosen or, until somebody chose, those that are ticked beforehand.
   */
  totalCents: Generated<number>;
  updatedAt: Generated<string>;
  validUntil: string | null;
  version: Generated<number>;
  viewedAt: string | null;
}

export interface QuoteSignatures {
  businessId: string;
  byteCount: number;
  choice: Json;
  contentHash: string;
  depositCents: number;
  id: string;
  ip: Generated<string>;
  note: Generated<string>;
  pdfHash: string;
  quoteId: string;
  revision: number;
  signedAt: string;
  signer: string;
  storageKey: string;
  strokes: Generated<Json>;
  termsHash: string;
  totalCents: number;
  userAgent: Generated<string>;
  userId: string | null;
  way: "drawn" | "notice" | "office" | "typed";
}

export interface QuoteTemplates {
  archivedAt: string | null;
  businessId: string;
  content: Json;
  createdAt: Generated<string>;
  id: string;
  name: string;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface RateLimits {
  blockedUntil: string | null;
  count: number;
  key: string;
  windowStartedAt: string;
}

export interface RecoveryCodes {
  businessId: string;
  codeHash: string;
  id: string;
  usedAt: string | null;
  userId: string;
}

export interface RecurringExpenses {
  businessId: string;
  categoryId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  crewId: string | null;
  deletedAt: string | null;
  endOn: string | null;
  every: "month" | "quarter" | "year";
  firstOn: string;
  id: string;
  method: "account" | "bank" | "card" | "cash" | "check";
  /**
   * The day of the next expense that is to be made; null after the last one.
   */
  nextOn: string | null;
  note: Generated<string>;
  taxCents: Generated<number>;
  totalCents: number;
  updatedAt: Generated<string>;
  vendor: Generated<string>;
  version: Generated<number>;
}

export interface ReferralCodes {
  businessId: string;
  code: string;
  createdAt: string;
  customerId: string;
}

export interface ReferralRewards {
  businessId: string;
  createdAt: string;
  friendCents: number;
  friendId: string;
  giverCents: number;
  giverId: string;
  invoiceId: string | null;
}

export interface Refunds {
  amountCents: number;
  businessId: string;
  /**
   * The provider that took the payment gives it back; else somebody of the business does, by `method`.
   */
  byProvider: Generated<boolean>;
  createdAt: Generated<string>;
  createdBy: string | null;
  id: string;
  method: "ach" | "card" | "cash" | "check" | "other";
  onDay: string;
  paymentId: string;
  problem: string | null;
  providerRefundId: string | null;
  reason: string;
  status: "failed" | "pending" | "succeeded";
  updatedAt: Generated<string>;
}

export interface RenewalRuns {
  answerBy: string;
  businessId: string;
  byMail: Generated<boolean>;
  byText: Generated<boolean>;
  /**
   * The last job that was looked at while the list is made.
   */
  collectedTo: string | null;
  createdAt: Generated<string>;
  createdBy: string | null;
  endsOn: string | null;
  filter: Json;
  id: string;
  message: Generated<string>;
  /**
   * ask: a customer has to say yes. auto: it renews by itself after answer_by unless they say no.
   */
  mode: "ask" | "auto";
  name: string;
  /**
   * Hundredths of a percent less for who pays the season ahead; 0 offers none.
   */
  prepayPercent: Generated<number>;
  /**
   * {kind: none | percent | amount, value, roundTo}: hundredths of a percent, or cents a visit; cents to round a price to.
   */
  raise: Json;
  sentAt: string | null;
  startsOn: string;
  status: "collecting" | "draft" | "sending" | "sent" | "withdrawing" | "withdrawn";
  terms: Generated<string>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface Renewals {
  afterCents: Generated<number>;
  beforeCents: Generated<number>;
  businessId: string;
  byItself: Generated<boolean>;
  id: string;
  jobId: string;
  lines: Json;
  problem: Generated<string>;
  quoteId: string | null;
  raise: Json | null;
  /**
   * The job renewed by itself at the prices of the book before it was sent; taken back it does again.
   */
  renewedBefore: Generated<boolean>;
  runId: string;
  state: "excluded" | "failed" | "open" | "sent" | "withdrawn";
  /**
   * Its day came and no notice had reached the customer by any way: it was not renewed, and its quote is over.
   */
  undelivered: Generated<boolean>;
  updatedAt: Generated<string>;
}

export interface ReportMailings {
  businessId: string;
  emails: Generated<string[]>;
  formats: string[];
  hour: number;
  /**
   * The mails of the last turn: what became of them stands in messages.
   */
  lastMessageIds: Generated<string[]>;
  lastSentAt: string | null;
  monthDay: number;
  /**
   * When it goes out next; moved on in the transaction that queues its mails, so that no turn is sent twice.
   */
  nextAt: string;
  /**
   * Why its last turn, or a part of it, did not go out; empty where all did.
   */
  problem: Generated<string>;
  reportId: string;
  rhythm: "monthly" | "weekly";
  /**
   * Who set it up: files for an address that is nobody of the business hold what this person may see now.
   */
  setBy: string;
  updatedAt: Generated<string>;
  userIds: Generated<string[]>;
  weekday: number;
}

export interface ReviewAsks {
  businessId: string;
  createdAt: string;
  customerId: string;
  expiresAt: string;
  id: string;
  /**
   * Nothing of it ever left: the visit was opened again, or something came up before the message went.
   */
  recalledAt: string | null;
  visitId: string | null;
}

export interface Reviews {
  answeredAt: string;
  askId: string;
  /**
   * As it stands on the page: first name and initial.
   */
  author: string;
  businessId: string;
  changedAt: string | null;
  city: Generated<string>;
  customerId: string;
  handledAt: string | null;
  handledBy: string | null;
  hiddenAt: string | null;
  hiddenBy: string | null;
  /**
   * Its customer changed stars or words after it was hidden, and the owner has not looked again.
   */
  hiddenChangedAt: string | null;
  hiddenNote: Generated<string>;
  /**
   * Why the owner took it off the page; few stars are no reason.
   */
  hiddenReason: "abuse" | "not_a_customer" | "personal_data" | null;
  id: string;
  language: Generated<"en" | "es">;
  published: boolean;
  repliedAt: string | null;
  repliedBy: string | null;
  reply: Generated<string>;
  stars: number;
  version: Generated<number>;
  /**
   * Null where the visit was deleted; what was said of it stays.
   */
  visitId: string | null;
  words: Generated<string>;
}

export interface ReviewSettings {
  businessId: string;
  delayHours: Generated<number>;
  enabled: Generated<boolean>;
  /**
   * Visits that were done before are not asked about.
   */
  enabledAt: string | null;
  everyDays: Generated<number>;
  googleUrl: Generated<string>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface ReviewTotals {
  businessId: string;
  count: number;
  stars: number;
}

export interface RouteChanges {
  after: Json;
  before: Json;
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  day: string;
  /**
   * Every day that the change touched: it is undone on all of them at once.
   */
  days: Generated<ArrayType<string>>;
  /**
   * What it did beside the places of visits: crews off on a day, visits skipped.
   */
  effects: Generated<Json>;
  id: string;
  kind: "crew_back" | "crew_out" | "move" | "optimize" | "pin" | "rain" | "saved" | "undo";
  label: string;
  undoneAt: string | null;
}

export interface RouteRuns {
  apply: boolean;
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  error: string | null;
  /**
   * What the days looked like when the search began: a proposal is for nothing else.
   */
  fingerprint: string | null;
  firstDay: string;
  /**
   * The process that searches says so every second; when it is silent the search is lost, and the plan is as it was.
   */
  heartbeatAt: string;
  id: string;
  kind: "crew_out" | "optimize" | "rain";
  label: string;
  lastDay: string;
  /**
   * Stops by day and crew in their order, what is skipped, which crews are off.
   */
  plan: Json | null;
  request: Json;
  result: Json | null;
  status: Generated<"applied" | "dismissed" | "failed" | "kept" | "proposed" | "running">;
  stopAsked: Generated<boolean>;
  updatedAt: Generated<string>;
}

export interface Routes {
  /**
   * The same totals for the order in which the visits were booked, for the comparison on screen.
   */
  booked: Json | null;
  businessId: string;
  createdAt: Generated<string>;
  crewId: string;
  day: string;
  /**
   * The plan differs from what the crew was sent.
   */
  dirty: Generated<boolean>;
  estimated: Generated<boolean>;
  id: string;
  /**
   * Totals of the plan: {driveSeconds, driveMeters, laborCents, workSeconds, endMinute, homeSeconds, rest}; rest is the break: {beforeVisitId, minutes}, or null.
   */
  planned: Json | null;
  /**
   * What planned was when the route was sent to its crew last.
   */
  published: Json | null;
  publishedAt: string | null;
  publishedBy: string | null;
  status: Generated<"closed" | "planned" | "published" | "started">;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface SavedReports {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  id: string;
  kind: "aging" | "chemicals" | "payroll" | "renewals" | "routes" | "sales" | "skips" | "tax";
  name: string;
  /**
   * Period, filters, grouping and columns, as the screen has them.
   */
  settings: Generated<Json>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface SavedRoutes {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  crewId: string;
  id: string;
  /**
   * In the order in which they are driven; a stop is the visit of its job on the day.
   */
  jobIds: string[];
  name: string;
  removedAt: string | null;
  updatedAt: Generated<string>;
  version: Generated<number>;
  weekday: number;
}

export interface SavedViews {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string;
  hub: "customers" | "jobs" | "leads";
  id: string;
  name: string;
  /**
   * What the address of the list says: filter, search and sort.
   */
  query: Json;
  shared: Generated<boolean>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface SeasonAcceptances {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  /**
   * The change of many jobs by which it was done; that is kept for a month, and with it Undo.
   */
  editId: string;
  fromOn: string;
  id: string;
  /**
   * What each letter told of which jobs: [{key, jobIds, kind}]; its messages have that key, or begin with it.
   */
  letters: Generated<Json>;
  /**
   * When customers were first told.
   */
  lettersAt: string | null;
  /**
   * Who moved, from which slot to which: [{jobId, from, to}].
   */
  moves: Json;
  runId: string;
  summary: Json;
  /**
   * Jobs on which it was taken back, here or as a change of many jobs: that change is forgotten after a month.
   */
  undoneJobs: Generated<string[]>;
}

export interface SeasonRuns {
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  error: string | null;
  /**
   * The process that searches says so every second; when it is silent the search is lost, and nothing was changed.
   */
  heartbeatAt: string;
  id: string;
  kind: "plan" | "whatif";
  label: string;
  progress: Json | null;
  request: Json;
  /**
   * What was found: every crew-day before and after, and who would move.
   */
  result: Json | null;
  /**
   * Of result, so that a list need not open it: driving of a year less than today; null where not all work has a place, which is no saving.
   */
  savedSeconds: number | null;
  /**
   * The recurring work and the crews as they were read: a plan is taken over only while they are so, except for what was taken over of it.
   */
  state: Json;
  status: Generated<"failed" | "ready" | "running">;
  stopAsked: Generated<boolean>;
  /**
   * Work and lawns that found no place.
   */
  unplaced: Generated<number>;
  updatedAt: Generated<string>;
}

export interface Segments {
  archivedAt: string | null;
  businessId: string;
  /**
   * A customer fits who fits all of them; an empty list means everybody who is not archived.
   */
  conditions: Json;
  createdAt: Generated<string>;
  id: string;
  name: string;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface SenderClaims {
  businessId: string;
  domain: string;
}

export interface SenderDomainKeys {
  businessId: string;
  createdAt: string;
  id: string;
  privateCipher: string | null;
  publicKey: string;
  retiredAt: string | null;
  seenAt: string | null;
  selector: string;
  senderDomainId: string;
  signingSince: string | null;
  state: Generated<"made" | "retired" | "signing">;
}

export interface SenderDomains {
  address: string;
  businessId: string;
  checkedAt: string | null;
  createdAt: string;
  domain: string;
  /**
   * What the last look found under each record, as features/senders/domains/rules.ts reads it.
   */
  findings: Generated<Json>;
  id: string;
  lapsedAt: string | null;
  /**
   * Looks since something changed: each waits longer than the one before.
   */
  looks: Generated<number>;
  /**
   * How often in a row the record of the key that signs was gone; at two nothing is signed any more.
   */
  missed: Generated<number>;
  missedAt: string | null;
  nextLookAt: string | null;
  proofToken: string;
  provenAt: string | null;
  /**
   * Since then the mail server of Swath takes no mail from this address; nothing leaves from it until somebody asks for another try.
   */
  refusedAt: string | null;
  refusedReason: string | null;
  remindedAt: string | null;
  state: Generated<"lapsed" | "live" | "waiting">;
  /**
   * Everything was found, but another business proved the domain first.
   */
  taken: Generated<boolean>;
  updatedAt: string;
  version: Generated<number>;
}

export interface SenderRegistrations {
  brand: Generated<"approved" | "open" | "returned" | "sent">;
  brandNote: string | null;
  brandOn: string | null;
  businessId: string;
  /**
   * Of a toll-free number its verification, which is the only thing that is asked for there.
   */
  campaign: Generated<"approved" | "open" | "returned" | "sent">;
  campaignNote: string | null;
  campaignOn: string | null;
  createdAt: string;
  details: Generated<Json>;
  id: string;
  kind: "local" | "tollFree" | null;
  updatedAt: string;
  version: Generated<number>;
}

export interface ServicePrices {
  businessId: string;
  changeId: string | null;
  createdAt: Generated<string>;
  createdBy: string | null;
  fromOn: string;
  id: string;
  number: number;
  priceRule: Json;
  serviceId: string;
  undoneAt: string | null;
}

export interface Services {
  active: Generated<boolean>;
  archivedAt: string | null;
  businessId: string;
  category: Generated<"cleanup" | "install" | "mow" | "other" | "snow" | "treat">;
  checklist: Generated<Json>;
  code: string;
  createdAt: Generated<string>;
  description: Generated<string>;
  id: string;
  /**
   * What of a property its price, minutes and material go by: square feet of lawn or of beds, or feet of edges.
   */
  measuredBy: Generated<"beds" | "edges" | "lawn">;
  minGapDays: Generated<number>;
  name: string;
  /**
   * The name for crews who read Spanish; empty is the name itself.
   */
  nameEs: Generated<string>;
  photoRequired: Generated<boolean>;
  position: Generated<number>;
  /**
   * The rule that the service began with, version 1; later ones stand in service_prices.
   */
  priceRule: Json;
  /**
   * Skills and equipment that a crew must have to do it.
   */
  skills: Generated<string[]>;
  /**
   * Crews may offer it at a stop.
   */
  soldAtDoor: Generated<boolean>;
  taxCategory: Generated<string>;
  timeRule: Json;
  unit: Generated<"each" | "hour" | "ksqft" | "visit" | "yard">;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface Sessions {
  businessId: string;
  createdAt: Generated<string>;
  expiresAt: string;
  familyId: string;
  id: string;
  ip: Generated<string>;
  kind: "admin" | "employee";
  lastUsedAt: Generated<string>;
  revokedAt: string | null;
  revokedReason: string | null;
  successorId: string | null;
  tokenHash: string;
  usedAt: string | null;
  userAgent: Generated<string>;
  userId: string;
}

export interface Slugs {
  businessId: string;
  /**
   * The business was closed and not opened again; written with businesses.closed_at.
   */
  closed: Generated<boolean>;
  slug: string;
}

export interface SmsRoutes {
  at: string;
  businessId: string | null;
  phone: string;
}

export interface StatementLinks {
  businessId: string;
  createdAt: Generated<string>;
  customerId: string;
  id: string;
  merged: Generated<boolean>;
  revokedAt: string | null;
}

export interface StatementRuns {
  businessId: string;
  collected: Generated<boolean>;
  createdAt: Generated<string>;
  createdBy: string | null;
  doneAt: string | null;
  /**
   * How many were counted when somebody pressed.
   */
  expected: number;
  fromOn: string;
  id: string;
  /**
   * The last customer that was looked at: the next step begins after them.
   */
  reachedTo: string | null;
  status: "done" | "running";
  toOn: string;
}

export interface StatementSendings {
  businessId: string;
  customerId: string;
  problem: Generated<string>;
  runId: string;
  /**
   * settled: they paid, or were put on hold, before theirs was drawn. unreached: neither a mail nor a text reaches them.
   */
  state: "failed" | "sent" | "settled" | "unreached" | "waiting";
  updatedAt: Generated<string>;
}

export interface StopSettings {
  businessId: string;
  /**
   * What crews may pick instead of typing: [{id, part, en, es}].
   */
  phrases: Json;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface SubscriptionInvoices {
  attempts: Generated<number>;
  businessId: string;
  createdAt: Generated<string>;
  description: Generated<string>;
  discountCents: Generated<number>;
  hostedUrl: string | null;
  id: string;
  issuedAt: string;
  livemode: boolean;
  number: Generated<string>;
  paidCents: Generated<number>;
  pdfUrl: string | null;
  periodEndsAt: string | null;
  periodStartsAt: string | null;
  provider: "local" | "stripe";
  providerInvoiceId: string;
  status: "draft" | "open" | "paid" | "uncollectible" | "void";
  subtotalCents: number;
  taxCents: Generated<number>;
  totalCents: number;
}

export interface SubscriptionRetries {
  at: Generated<string>;
  businessId: string;
  day: number;
  doneAt: string | null;
  providerInvoiceId: string;
}

export interface Subscriptions {
  businessId: string;
  cancelAt: string | null;
  cardBrand: string | null;
  cardLast4: string | null;
  conversionClaimedAt: string | null;
  couponCode: string | null;
  createdAt: Generated<string>;
  id: string;
  livemode: boolean;
  pastDueSince: string | null;
  period: "month" | "year";
  periodEndsAt: string | null;
  plan: "basic" | "enterprise" | "pro";
  priceCents: number;
  provider: "local" | "stripe";
  providerSubscriptionId: string;
  startedAt: string;
  status: "active" | "canceled" | "incomplete" | "past_due" | "paused" | "trialing" | "unpaid";
  trialEndsAt: string | null;
  updatedAt: Generated<string>;
}

export interface SupportAccessLog {
  area: string;
  businessId: string;
  firstAt: string;
  lastAt: string;
  /**
   * Looks, not requests: what a screen asks for at once counts once.
   */
  times: Generated<number>;
  visitId: string;
}

export interface SupportGrants {
  businessId: string;
  /**
   * Also set, to expires_at, when a new grant takes the place of one that ran out.
   */
  endedAt: string | null;
  endedBy: string | null;
  expiresAt: string;
  grantedAt: string;
  grantedBy: string;
  hours: number;
  id: string;
  note: Generated<string>;
  /**
   * When the Owner was told that support opened the business for the first time on this grant.
   */
  notifiedAt: string | null;
}

export interface SupportLookups {
  businessId: string;
  expiresAt: string;
  grantId: string;
}

export interface SupportVisits {
  businessId: string;
  endedAt: string | null;
  expiresAt: string;
  grantId: string;
  id: string;
  openedAt: string;
  openedBy: string;
}

export interface Suppressions {
  address: string;
  at: Generated<string>;
  businessId: string;
  channel: "email" | "sms";
  purpose: Generated<"all" | "marketing">;
  reason: string;
}

export interface TaskPools {
  poolId: string;
  seenAt: string;
}

export interface TaxExemptions {
  businessId: string;
  certificate: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  customerId: string;
  fileId: string | null;
  id: string;
  removedAt: string | null;
  /**
   * Only work done there is exempt; null is work anywhere.
   */
  state: string | null;
  validFrom: string;
  /**
   * The last day on which it holds; null is without an end.
   */
  validUntil: string | null;
}

export interface TaxRates {
  archivedAt: string | null;
  businessId: string;
  createdAt: Generated<string>;
  id: string;
  name: string;
  /**
   * Charged beside the nearest other rate of its category, not in its place.
   */
  onTop: Generated<boolean>;
  /**
   * ZIP codes and cities of its state in which it holds; empty is everywhere in the state.
   */
  places: Generated<string[]>;
  ratePercent: number;
  state: string | null;
  taxCategory: string;
  /**
   * First day of work on which it is charged; null is ever since.
   */
  validFrom: string | null;
  /**
   * Last day of work on which it is charged; null is until further notice.
   */
  validTo: string | null;
}

export interface TextMonths {
  businessId: string;
  month: string;
  segments: Generated<number>;
}

export interface TimeEntries {
  businessId: string;
  /**
   * The command of the phone that opened it, for a clock that is looked into.
   */
  commandId: string | null;
  createdAt: Generated<string>;
  crewId: string | null;
  endedAt: string | null;
  flagged: string | null;
  id: string;
  kind: Generated<"break" | "rain" | "shop" | "work">;
  note: Generated<string>;
  skewSeconds: Generated<number>;
  source: Generated<"clock" | "manual">;
  startedAt: string;
  updatedAt: Generated<string>;
  userId: string;
}

export interface TimesheetChanges {
  action: "added" | "answered" | "approved" | "asked" | "changed" | "counted" | "late" | "left_out" | "removed" | "reopened" | "returned" | "submitted";
  after: Json | null;
  at: string;
  before: Json | null;
  businessId: string;
  byUserId: string | null;
  id: string;
  reason: Generated<string>;
  userId: string;
  week: string;
}

export interface Timesheets {
  businessId: string;
  createdAt: Generated<string>;
  decidedAt: string | null;
  decidedBy: string | null;
  id: string;
  /**
   * Why it was sent back or opened again.
   */
  reason: Generated<string>;
  /**
   * What the person asks the office to put right; empty when nothing is asked.
   */
  request: Generated<string>;
  status: Generated<"approved" | "open" | "returned" | "submitted">;
  submittedAt: string | null;
  updatedAt: Generated<string>;
  userId: string;
  version: Generated<number>;
  /**
   * Its Monday.
   */
  week: string;
}

export interface TipMoves {
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  disputeId: string | null;
  id: string;
  onDay: string;
  paymentId: string;
  refundId: string | null;
}

export interface TipShares {
  businessId: string;
  cents: number;
  paymentId: string;
  userId: string;
}

export interface TourDemos {
  begunAt: string;
  businessId: string;
  /**
   * From when visitors are shown it; null while it is made. It is replaced when the next one is ready.
   */
  readyAt: string | null;
}

export interface TravelTimes {
  askedOn: string;
  /**
   * Kind of day and hour for engines that know traffic; 0 for all others.
   */
  bucket: Generated<number>;
  businessId: string;
  engine: string;
  fromKey: number;
  meters: number;
  /**
   * -1: the engine knows no way.
   */
  seconds: number;
  toKey: number;
}

export interface TrialUses {
  emailHash: string;
  usedAt: Generated<string>;
}

export interface TruckChecks {
  /**
   * What was looked at, in the words of that day: [{item, equipmentId, ok}].
   */
  answers: Json;
  businessId: string;
  checkedAt: string;
  createdAt: Generated<string>;
  crewId: string | null;
  day: string;
  id: string;
  userId: string | null;
}

export interface TruckCheckSettings {
  /**
   * first: before the crew clocks in.
   */
  asks: "anytime" | "first" | "off";
  businessId: string;
  /**
   * What is looked at: [{id, en, es, of}], of a kind of equipment or of the crew.
   */
  items: Json;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface TruckDefectPhotos {
  businessId: string;
  createdAt: Generated<string>;
  defectId: string;
  fileId: string;
  id: string;
}

export interface TruckDefects {
  businessId: string;
  checkId: string;
  crewId: string | null;
  equipmentId: string | null;
  foundAt: string;
  id: string;
  item: string;
  note: Generated<string>;
  /**
   * Photos that belong to it; one without a row in truck_defect_photos is still on its way.
   */
  photoIds: Generated<string[]>;
  settledAt: string | null;
  settledBy: string | null;
  settledNote: Generated<string>;
  /**
   * The crew says that it cannot be used like this.
   */
  stops: Generated<boolean>;
  userId: string | null;
}

export interface TwoFactors {
  businessId: string;
  confirmedAt: string | null;
  createdAt: Generated<string>;
  /**
   * The half minute of the last code taken: no code counts twice.
   */
  lastStep: number | null;
  /**
   * Encrypted; the key is not in the database.
   */
  secret: string;
  userId: string;
}

export interface UnrecordedApplications {
  at: string;
  businessId: string;
  createdAt: Generated<string>;
  id: string;
  kind: "refused" | "without";
  reason: string;
  settledAt: string | null;
  settledBy: string | null;
  settledNote: Generated<string>;
  /**
   * Everything that the crew typed, as the phone sent it.
   */
  typed: Generated<Json>;
  userId: string | null;
  visitId: string | null;
}

export interface UploadPieces {
  businessId: string;
  bytes: Buffer;
  createdAt: Generated<string>;
  startByte: number;
  /**
   * Made by the phone: the id of the photo.
   */
  uploadId: string;
  userId: string;
}

export interface UsedTokens {
  expiresAt: string;
  tokenHash: string;
}

export interface Users {
  archivedAt: string | null;
  businessId: string;
  color: Generated<string>;
  createdAt: Generated<string>;
  email: string | null;
  emailVerifiedAt: string | null;
  id: string;
  language: Generated<"en" | "es">;
  name: string;
  passwordHash: string | null;
  permissions: Generated<string[]>;
  phone: string | null;
  pinHash: string | null;
  role: "Admin" | "Employee" | "Owner";
  /**
   * What the person can do; the crew can do it on the days on which the person is there.
   */
  skills: Generated<string[]>;
  status: Generated<"active" | "disabled" | "invited">;
  tokenVersion: Generated<number>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface ViewDefaults {
  businessId: string;
  hub: "customers" | "jobs" | "leads";
  userId: string;
  viewId: string;
}

export interface VisitExtras {
  at: string;
  businessId: string;
  createdAt: Generated<string>;
  decidedAt: string | null;
  decidedBy: string | null;
  decisionNote: Generated<string>;
  id: string;
  jobId: string | null;
  kind: "overgrown" | "sold";
  note: Generated<string>;
  /**
   * Photos of the visit that show it; they may come after it.
   */
  photoIds: Generated<string[]>;
  /**
   * Of what was sold: whether the crew does it today, or the office gives it a day.
   */
  planned: "later" | "today" | null;
  /**
   * All of it; null until the office prices it.
   */
  priceCents: number | null;
  quantity: Generated<number>;
  /**
   * What was to be added by the rule of that day, as it reads: +50 %.
   */
  rule: Generated<string>;
  /**
   * Of what was sold, by the rules of the moment in which it came in; null where they say nothing, or crews may not sell it.
   */
  ruleCents: number | null;
  serviceId: string | null;
  /**
   * What the customer was shown; the price may be another one by now.
   */
  shownCents: number | null;
  state: "added" | "asked" | "booked" | "declined" | "refused" | "waiting" | "withdrawn";
  stepId: string | null;
  title: string;
  titleEs: Generated<string>;
  userId: string | null;
  version: Generated<number>;
  visitId: string;
}

export interface VisitLines {
  budgetMinutes: Generated<number>;
  businessId: string;
  description: Generated<string>;
  /**
   * The extra that it came of: no schedule and no price book makes or changes such a line.
   */
  extraId: string | null;
  id: string;
  jobLineId: string | null;
  position: Generated<number>;
  quantity: Generated<number>;
  serviceId: string;
  /**
   * What it is called instead of its service.
   */
  title: string | null;
  titleEs: string | null;
  unitPriceCents: number;
  visitId: string;
}

export interface VisitPhotos {
  accuracyMeters: number | null;
  businessId: string;
  caption: Generated<string>;
  createdAt: Generated<string>;
  createdBy: string | null;
  fileId: string;
  id: string;
  kind: Generated<"after" | "before" | "other">;
  /**
   * Where the phone was, of who shares that; null else.
   */
  latitude: number | null;
  longitude: number | null;
  takenAt: string | null;
  visitId: string;
}

export interface Visits {
  billable: Generated<boolean>;
  /**
   * Labor minutes on site.
   */
  budgetMinutes: number;
  businessId: string;
  /**
   * Items of the checklists that the crew has ticked.
   */
  checked: Generated<string[]>;
  /**
   * Its items as they stood when the first one was ticked or the work ended; null: those of its services.
   */
  checklist: Json | null;
  /**
   * The billing plan that all of its work counts against: it is billed by the plan, not by the visit.
   */
  coveredBy: string | null;
  createdAt: Generated<string>;
  crewId: string | null;
  customerId: string;
  /**
   * What the customer reads of it, as one text: from before it had three parts.
   */
  customerNote: Generated<string>;
  day: string | null;
  /**
   * What the customer reads of it: what the crew did.
   */
  didNote: Generated<string>;
  enRouteAt: string | null;
  /**
   * What the customer reads of it: what to expect.
   */
  expectNote: Generated<string>;
  finishedAt: string | null;
  finishedBy: string | null;
  id: string;
  /**
   * Start of the spell of work that is running; null while nobody works. worked_seconds holds the spells that ended.
   */
  intervalStartedAt: string | null;
  invoiceId: string | null;
  jobId: string;
  locked: Generated<boolean>;
  movedFrom: string | null;
  /**
   * What the crew of the next visit at this property reads.
   */
  nextNote: Generated<string>;
  note: Generated<string>;
  /**
   * The day the rule named; it stays when the visit is moved, so the nightly top-up never makes it twice.
   */
  occurrenceOn: string;
  /**
   * What the crew should know on this visit alone.
   */
  officeNote: Generated<string>;
  origin: Generated<"manual" | "push" | "rebook" | "rule" | "undated">;
  people: number | null;
  pinned: Generated<boolean>;
  plannedDriveSeconds: number | null;
  plannedStartMinute: number | null;
  position: number | null;
  /**
   * What its lines come to. A finished visit of zero waits for its price.
   */
  priceCents: number;
  propertyId: string;
  publishedCrewId: string | null;
  publishedDay: string | null;
  publishedDriveSeconds: number | null;
  publishedPosition: number | null;
  publishedStartMinute: number | null;
  /**
   * The skipped or missed visit in whose place this one was booked; of all that were booked for one, at most one is open or done.
   */
  rebookedFrom: string | null;
  /**
   * What the customer reads of it: what the crew saw.
   */
  sawNote: Generated<string>;
  /**
   * What a skip costs the customer; price_cents is the same while it is skipped.
   */
  skipChargeCents: number | null;
  skipNote: Generated<string>;
  /**
   * Code of a reason for skipping; the words of the crew stand in skip_note.
   */
  skipReason: string | null;
  startedAt: string | null;
  status: Generated<"canceled" | "completed" | "en_route" | "in_progress" | "missed" | "paused" | "scheduled" | "skipped" | "unscheduled">;
  /**
   * Finished work, or a skip that is charged, that somebody is billed for by its visit.
   */
  toBill: Generated<boolean | null>;
  /**
   * Why it was finished although a required item was not ticked.
   */
  untickedReason: Generated<string>;
  updatedAt: Generated<string>;
  version: Generated<number>;
  windowEndMinute: number | null;
  windowStartMinute: number | null;
  /**
   * Clock seconds on site of finished spells (pauses left out); man-time is this times people.
   */
  workedSeconds: Generated<number>;
}

export interface VisitTellings {
  businessId: string;
  customerId: string;
  /**
   * The day they had been told before; null with was_told: that there is none.
   */
  dayBefore: string | null;
  /**
   * When the last notice of a move was written.
   */
  movedAt: string | null;
  remindedDay: string | null;
  toldAt: string;
  /**
   * Null: the customer was told that there is no day, or that the visit will not be.
   */
  toldDay: string | null;
  visitId: string;
  /**
   * Whether the customer had been told something of this visit before.
   */
  wasTold: Generated<boolean>;
}

export interface Wages {
  /**
   * A lawn, on top of the hour or the piece.
   */
  bonusCents: number | null;
  /**
   * On top of pay for taxes and insurance; null is that of the business.
   */
  burdenPercent: number | null;
  businessId: string;
  centsPerHour: number;
  createdAt: Generated<string>;
  id: string;
  /**
   * A lawn, instead of the hour; null for who is paid by the hour.
   */
  pieceCents: number | null;
  userId: string;
  validFrom: string;
}

export interface WeatherMarks {
  businessId: string;
  day: string;
  /**
   * Null: taken back, the forecast counts again.
   */
  hours: number[] | null;
  id: string;
  markedBy: string | null;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface WeatherPlaces {
  askedAt: string;
  businessId: string;
  failed: Generated<boolean>;
  hours: Generated<Json>;
  id: string;
  latitudeTenths: number;
  longitudeTenths: number;
  /**
   * When the hours came. What is asked and does not come leaves them as they are.
   */
  readAt: string | null;
}

export interface WebhookEvents {
  account: Generated<string>;
  attempts: Generated<number>;
  error: string | null;
  eventId: string;
  payload: Json;
  processedAt: string | null;
  provider: string;
  receivedAt: Generated<string>;
  type: string;
}

export interface WriteOffs {
  amountCents: number;
  businessId: string;
  createdAt: Generated<string>;
  createdBy: string | null;
  id: string;
  invoiceId: string;
  onDay: string;
  reason: string;
  takenBackOn: string | null;
}

export interface DB {
  accountEmails: AccountEmails;
  accountIdentities: AccountIdentities;
  accountLinks: AccountLinks;
  allocationMoves: AllocationMoves;
  allocationReversals: AllocationReversals;
  analyticsDays: AnalyticsDays;
  analyticsJobMonths: AnalyticsJobMonths;
  analyticsJobs: AnalyticsJobs;
  analyticsMarks: AnalyticsMarks;
  analyticsMonths: AnalyticsMonths;
  applicationAmendments: ApplicationAmendments;
  applicationRecords: ApplicationRecords;
  auditLog: AuditLog;
  automaticInvoiceRuns: AutomaticInvoiceRuns;
  automationOptOuts: AutomationOptOuts;
  automationRuns: AutomationRuns;
  automations: Automations;
  automationSettings: AutomationSettings;
  autopayCharges: AutopayCharges;
  billingAccounts: BillingAccounts;
  billingPlanChanges: BillingPlanChanges;
  billingPlanDeliveries: BillingPlanDeliveries;
  billingPlanLastInvoices: BillingPlanLastInvoices;
  billingPlanLines: BillingPlanLines;
  billingPlanMonths: BillingPlanMonths;
  billingPlans: BillingPlans;
  booksChecks: BooksChecks;
  booksConnections: BooksConnections;
  booksLeft: BooksLeft;
  booksLinks: BooksLinks;
  booksQueue: BooksQueue;
  booksRealms: BooksRealms;
  businesses: Businesses;
  businessExports: BusinessExports;
  businessLeadEvents: BusinessLeadEvents;
  businessLeads: BusinessLeads;
  calendarEvents: CalendarEvents;
  calendarFeeds: CalendarFeeds;
  campaignEvents: CampaignEvents;
  campaignRecipients: CampaignRecipients;
  campaigns: Campaigns;
  cardRequests: CardRequests;
  cashHandIns: CashHandIns;
  chatMessages: ChatMessages;
  chatPhotos: ChatPhotos;
  chatReaders: ChatReaders;
  chatReads: ChatReads;
  chatThreads: ChatThreads;
  checkoutSessions: CheckoutSessions;
  chemicalMixes: ChemicalMixes;
  chemicalMixProducts: ChemicalMixProducts;
  chemicalMixServices: ChemicalMixServices;
  chemicalNeighborNotices: ChemicalNeighborNotices;
  chemicalNeighbors: ChemicalNeighbors;
  chemicalProducts: ChemicalProducts;
  chemicalSettings: ChemicalSettings;
  consentEvents: ConsentEvents;
  conversationNotes: ConversationNotes;
  conversations: Conversations;
  counters: Counters;
  coupons: Coupons;
  couponUses: CouponUses;
  creditNoteParts: CreditNoteParts;
  creditNotes: CreditNotes;
  crewChanges: CrewChanges;
  crewCommands: CrewCommands;
  crewDaysOff: CrewDaysOff;
  crewDevicePeople: CrewDevicePeople;
  crewDevices: CrewDevices;
  crewMembers: CrewMembers;
  crews: Crews;
  customerBalances: CustomerBalances;
  customerCalls: CustomerCalls;
  customerContacts: CustomerContacts;
  customerMerges: CustomerMerges;
  customerNotes: CustomerNotes;
  customerNotices: CustomerNotices;
  customers: Customers;
  customFields: CustomFields;
  customValues: CustomValues;
  disputeCovers: DisputeCovers;
  disputeInvoices: DisputeInvoices;
  disputes: Disputes;
  disputeTurns: DisputeTurns;
  doorCardDoors: DoorCardDoors;
  doorCards: DoorCards;
  doorReceipts: DoorReceipts;
  emergencyContacts: EmergencyContacts;
  employeeInvites: EmployeeInvites;
  equipment: Equipment;
  equipmentCrews: EquipmentCrews;
  equipmentPlans: EquipmentPlans;
  equipmentReadings: EquipmentReadings;
  equipmentWork: EquipmentWork;
  eventLooks: EventLooks;
  events: Events;
  expenseCategories: ExpenseCategories;
  expenseParts: ExpenseParts;
  expenseReceipts: ExpenseReceipts;
  expenses: Expenses;
  extraConsents: ExtraConsents;
  extraSettings: ExtraSettings;
  files: Files;
  gateCodeReveals: GateCodeReveals;
  geocodedAddresses: GeocodedAddresses;
  heldPhotos: HeldPhotos;
  heldTimes: HeldTimes;
  idempotencyKeys: IdempotencyKeys;
  importRows: ImportRows;
  imports: Imports;
  invoiceBatches: InvoiceBatches;
  invoiceLines: InvoiceLines;
  invoices: Invoices;
  invoiceTaxes: InvoiceTaxes;
  invoiceTotals: InvoiceTotals;
  jobBatches: JobBatches;
  jobEditJobs: JobEditJobs;
  jobEdits: JobEdits;
  jobLines: JobLines;
  jobs: Jobs;
  jobTotals: JobTotals;
  lateFees: LateFees;
  leadRequests: LeadRequests;
  leadSettings: LeadSettings;
  leadWays: LeadWays;
  ledgerEntries: LedgerEntries;
  licenses: Licenses;
  localBillingObjects: LocalBillingObjects;
  localBooks: LocalBooks;
  localCheckoutSessions: LocalCheckoutSessions;
  localDnsRecords: LocalDnsRecords;
  localRefunds: LocalRefunds;
  mailings: Mailings;
  mailTroubles: MailTroubles;
  materialLawsOff: MaterialLawsOff;
  materialMoves: MaterialMoves;
  materialPlans: MaterialPlans;
  materials: Materials;
  materialSettings: MaterialSettings;
  materialWants: MaterialWants;
  mealPremiums: MealPremiums;
  messages: Messages;
  messageTemplates: MessageTemplates;
  minutesDismissals: MinutesDismissals;
  missedCalls: MissedCalls;
  monthClosings: MonthClosings;
  notificationDigests: NotificationDigests;
  notificationMutes: NotificationMutes;
  notifications: Notifications;
  numberConversations: NumberConversations;
  odometerReadings: OdometerReadings;
  officeTasks: OfficeTasks;
  ownCarMiles: OwnCarMiles;
  pageBookings: PageBookings;
  paymentAccountLookups: PaymentAccountLookups;
  paymentAccounts: PaymentAccounts;
  paymentAllocations: PaymentAllocations;
  paymentCustomers: PaymentCustomers;
  paymentDiscounts: PaymentDiscounts;
  paymentMethods: PaymentMethods;
  payments: Payments;
  payoutLines: PayoutLines;
  payouts: Payouts;
  payrollFiles: PayrollFiles;
  payrollFileWeeks: PayrollFileWeeks;
  payrollLines: PayrollLines;
  payrollNumbers: PayrollNumbers;
  payrollSettings: PayrollSettings;
  payrollWeeks: PayrollWeeks;
  personDocumentFiles: PersonDocumentFiles;
  personDocuments: PersonDocuments;
  photoMarks: PhotoMarks;
  portalLinks: PortalLinks;
  portalRequests: PortalRequests;
  portalSessions: PortalSessions;
  portalSettings: PortalSettings;
  positionConsents: PositionConsents;
  positions: Positions;
  priceChangeLines: PriceChangeLines;
  priceChanges: PriceChanges;
  productOwnerTwoFactor: ProductOwnerTwoFactor;
  programs: Programs;
  properties: Properties;
  propertyAreas: PropertyAreas;
  propertyMerges: PropertyMerges;
  publicTokens: PublicTokens;
  pushDevices: PushDevices;
  pushMutes: PushMutes;
  pushSends: PushSends;
  quoteDeposits: QuoteDeposits;
  quoteEvents: QuoteEvents;
  quoteRevisions: QuoteRevisions;
  quoteRules: QuoteRules;
  quotes: Quotes;
  quoteSignatures: QuoteSignatures;
  quoteTemplates: QuoteTemplates;
  rateLimits: RateLimits;
  recoveryCodes: RecoveryCodes;
  recurringExpenses: RecurringExpenses;
  referralCodes: ReferralCodes;
  referralRewards: ReferralRewards;
  refunds: Refunds;
  renewalRuns: RenewalRuns;
  renewals: Renewals;
  reportMailings: ReportMailings;
  reviewAsks: ReviewAsks;
  reviews: Reviews;
  reviewSettings: ReviewSettings;
  reviewTotals: ReviewTotals;
  routeChanges: RouteChanges;
  routeRuns: RouteRuns;
  routes: Routes;
  savedReports: SavedReports;
  savedRoutes: SavedRoutes;
  savedViews: SavedViews;
  seasonAcceptances: SeasonAcceptances;
  seasonRuns: SeasonRuns;
  segments: Segments;
  senderClaims: SenderClaims;
  senderDomainKeys: SenderDomainKeys;
  senderDomains: SenderDomains;
  senderRegistrations: SenderRegistrations;
  servicePrices: ServicePrices;
  services: Services;
  sessions: Sessions;
  slugs: Slugs;
  smsRoutes: SmsRoutes;
  statementLinks: StatementLinks;
  statementRuns: StatementRuns;
  statementSendings: StatementSendings;
  stopSettings: StopSettings;
  subscriptionInvoices: SubscriptionInvoices;
  subscriptionRetries: SubscriptionRetries;
  subscriptions: Subscriptions;
  supportAccessLog: SupportAccessLog;
  supportGrants: SupportGrants;
  supportLookups: SupportLookups;
  supportVisits: SupportVisits;
  suppressions: Suppressions;
  taskPools: TaskPools;
  taxExemptions: TaxExemptions;
  taxRates: TaxRates;
  textMonths: TextMonths;
  timeEntries: TimeEntries;
  timesheetChanges: TimesheetChanges;
  timesheets: Timesheets;
  tipMoves: TipMoves;
  tipShares: TipShares;
  tourDemos: TourDemos;
  travelTimes: TravelTimes;
  trialUses: TrialUses;
  truckChecks: TruckChecks;
  truckCheckSettings: TruckCheckSettings;
  truckDefectPhotos: TruckDefectPhotos;
  truckDefects: TruckDefects;
  twoFactors: TwoFactors;
  unrecordedApplications: UnrecordedApplications;
  uploadPieces: UploadPieces;
  usedTokens: UsedTokens;
  users: Users;
  viewDefaults: ViewDefaults;
  visitExtras: VisitExtras;
  visitLines: VisitLines;
  visitPhotos: VisitPhotos;
  visits: Visits;
  visitTellings: VisitTellings;
  wages: Wages;
  weatherMarks: WeatherMarks;
  weatherPlaces: WeatherPlaces;
  webhookEvents: WebhookEvents;
  writeOffs: WriteOffs;
}
