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

export interface Applications {
  answers: Generated<Json>;
  createdAt: Generated<string>;
  id: string;
  leadId: string;
  submittedAt: string | null;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface AuditLog {
  action: string;
  actor: string;
  at: Generated<string>;
  change: Json | null;
  entityId: string | null;
  entityType: string;
  id: string;
}

export interface CallChanges {
  action: "booked" | "canceled" | "held" | "missed" | "rescheduled";
  at: Generated<string>;
  by: "owner" | "prospect" | "system";
  callId: string;
  id: string;
  startsAt: string;
}

export interface Calls {
  applicationId: string | null;
  bookedBy: "owner" | "prospect";
  /**
   * End of the call with the pause after it; two booked calls cannot overlap.
   */
  busyUntil: string;
  canceledAt: string | null;
  canceledBy: "owner" | "prospect" | null;
  createdAt: Generated<string>;
  endsAt: string;
  id: string;
  kind: "demo" | "intro" | "sprint_1" | "sprint_2";
  leadId: string;
  minutes: number;
  note: Generated<string>;
  /**
   * Counts the changes of the time: SEQUENCE of the calendar entry.
   */
  sequence: Generated<number>;
  startsAt: string;
  status: Generated<"booked" | "canceled" | "held" | "missed">;
  timeZone: string;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface ConsentEvents {
  action: "grant" | "revoke";
  address: string;
  at: Generated<string>;
  channel: "email" | "sms";
  id: string;
  leadId: string | null;
  source: string;
  wording: Generated<string>;
}

export interface ContactMessages {
  createdAt: Generated<string>;
  email: string;
  id: string;
  message: string;
  name: string;
  topic: string;
}

export interface IdempotencyKeys {
  answer: string | null;
  /**
   * visitor, or the product owner: their requests belong to no business.
   */
  caller: string;
  createdAt: string;
  endpoint: string;
  key: string;
  requestHash: string;
}

export interface LeadNotes {
  author: string;
  body: string;
  createdAt: Generated<string>;
  id: string;
  leadId: string;
}

export interface Leads {
  accountAt: string | null;
  /**
   * The business whose account has this e-mail, as told by events; the business itself cannot be read from here.
   */
  accountBusinessId: string | null;
  appliedAt: string | null;
  campaign: Generated<string>;
  createdAt: Generated<string>;
  currentUrl: Generated<string>;
  /**
   * Since when that business has had a trialing or paid subscription.
   */
  customerAt: string | null;
  email: string;
  gclid: Generated<string>;
  id: string;
  isMobile: Generated<boolean>;
  landingTime: string | null;
  language: Generated<string>;
  lastMessageAt: string | null;
  name: string;
  paidAt: string | null;
  phone: string;
  phoneE164: string | null;
  platform: Generated<string>;
  referrer: Generated<string>;
  screenResolution: Generated<string>;
  /**
   * When the desk last opened the lead; null: never.
   */
  seenAt: string | null;
  source: "google_ads" | "landing_page" | "quote_builder_direct";
  status: Generated<"closed" | "contacted" | "converted" | "new" | "qualified">;
  statusChangedAt: string | null;
  timeZone: string | null;
  updatedAt: Generated<string>;
  userAgent: Generated<string>;
  utmCampaign: Generated<string>;
  utmContent: Generated<string>;
  utmMedium: Generated<string>;
  utmSource: Generated<string>;
  utmTerm: Generated<string>;
  version: Generated<number>;
  viewport: Generated<string>;
  visitId: string | null;
}

export interface MessageEvents {
  at: string;
  id: string;
  isMachine: boolean;
  kind: "click" | "open";
  linkId: string | null;
  messageId: string;
  userAgent: Generated<string>;
}

export interface MessageFiles {
  byteCount: number;
  createdAt: Generated<string>;
  id: string;
  messageId: string;
  mime: "application/pdf" | "image/jpeg";
  name: string;
  storageKey: string;
}

export interface MessageLinks {
  id: string;
  messageId: string;
  url: string;
}

export interface Messages {
  address: string;
  /**
   * Small files in place: [{ name, mime, content }] with content as text (calendar entries).
   */
  attachments: Generated<Json>;
  attempts: Generated<number>;
  bodyHtml: string | null;
  bodyText: string;
  channel: "email" | "sms";
  clickCount: Generated<number>;
  clickedAt: string | null;
  createdAt: Generated<string>;
  dedupeKey: string;
  deletedAt: string | null;
  deliveredAt: string | null;
  direction: Generated<"inbound" | "outbound">;
  failedAt: string | null;
  fromName: Generated<string>;
  id: string;
  leadId: string | null;
  livemode: Generated<boolean>;
  /**
   * What came with it and is not here, as a sentence.
   */
  notKept: string | null;
  openCount: Generated<number>;
  openedAt: string | null;
  provider: string | null;
  providerId: string | null;
  purpose: "internal" | "marketing" | "reply" | "transactional";
  readAt: string | null;
  reason: string | null;
  replyTo: string | null;
  runAfter: string | null;
  segments: Generated<number>;
  sentAt: string | null;
  status: Generated<"delivered" | "failed" | "held" | "pending" | "received" | "sending" | "sent" | "suppressed" | "unknown">;
  subject: Generated<string>;
  updatedAt: Generated<string>;
}

export interface PageViews {
  at: Generated<string>;
  gclid: Generated<string>;
  id: string;
  isMobile: Generated<boolean>;
  leadId: string | null;
  path: string;
  referrer: Generated<string>;
  utmCampaign: Generated<string>;
  utmContent: Generated<string>;
  utmMedium: Generated<string>;
  utmSource: Generated<string>;
  utmTerm: Generated<string>;
  visitId: string;
}

export interface Settings {
  callBufferMinutes: Generated<number>;
  callHorizonDays: Generated<number>;
  /**
   * Weekday (0 = Sunday) to spans of minutes after midnight in time_zone in which calls may stand.
   */
  callHours: Generated<Json>;
  callLink: Generated<string>;
  callNoticeMinutes: Generated<number>;
  fromName: Generated<string>;
  holidays: Generated<ArrayType<string>>;
  monthlyAdmissions: Generated<number>;
  onlyRow: Generated<boolean>;
  postalAddress: Generated<string>;
  /**
   * Whether no call is offered on a federal holiday and the weekday on which it is observed.
   */
  restsOnHolidays: Generated<boolean>;
  timeZone: Generated<string>;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface Sprints {
  admittedMonth: string | null;
  createdAt: Generated<string>;
  decidedAt: string | null;
  decisionNote: Generated<string>;
  endsAt: string | null;
  feeCents: Generated<number>;
  /**
   * The checkout that was opened last; the provider is asked what became of it.
   */
  feeCheckoutId: string | null;
  /**
   * Counts the checkouts that ended unused: part of the key that makes two presses open one page.
   */
  feeCheckoutTry: Generated<number>;
  feeDecidedAt: string | null;
  feeLinkSentAt: string | null;
  feeLivemode: boolean | null;
  feeNote: Generated<string>;
  feePaidAt: string | null;
  feePaymentId: string | null;
  feeStatus: Generated<"confirmed" | "due" | "none" | "paid" | "waived">;
  finishedAt: string | null;
  id: string;
  leadId: string;
  startedAt: string | null;
  status: Generated<"admitted" | "applied" | "declined" | "finished" | "missed" | "queued" | "running">;
  updatedAt: Generated<string>;
  version: Generated<number>;
}

export interface SprintSteps {
  doneAt: string | null;
  doneBy: "event" | "owner" | null;
  dueAt: string | null;
  sprintId: string;
  step: string;
}

export interface Suppressions {
  address: string;
  at: Generated<string>;
  channel: "email" | "sms";
  purpose: Generated<"all" | "marketing">;
  reason: string;
}

export interface Templates {
  channel: "email" | "sms";
  key: string;
  message: string;
  subject: Generated<string>;
  updatedAt: string;
}

export interface Tokens {
  createdAt: Generated<string>;
  entityId: string;
  expiresAt: string | null;
  kind: string;
  leadId: string | null;
  revokedAt: string | null;
  tokenHash: string;
}

export interface DB {
  applications: Applications;
  auditLog: AuditLog;
  callChanges: CallChanges;
  calls: Calls;
  consentEvents: ConsentEvents;
  contactMessages: ContactMessages;
  idempotencyKeys: IdempotencyKeys;
  leadNotes: LeadNotes;
  leads: Leads;
  messageEvents: MessageEvents;
  messageFiles: MessageFiles;
  messageLinks: MessageLinks;
  messages: Messages;
  pageViews: PageViews;
  settings: Settings;
  sprints: Sprints;
  sprintSteps: SprintSteps;
  suppressions: Suppressions;
  templates: Templates;
  tokens: Tokens;
}
