import { onInvoiceVoided, onVisitCounted } from './features/billingplans/server/tasks.ts'
import { onOffersEnded } from './features/campaigns/server/tasks.ts'
import {
  notifyOfConflict,
  notifyOfNote,
  notifyOfSkew,
  onApplicationDecided,
  onSheetSettled,
} from './features/crewapp/server/tasks.ts'
import { exportClosed } from './features/exports/server/tasks.ts'
import { onAddressChanged, onImport } from './features/geocoding/server/tasks.ts'
import { onInvoicePaid, onOverpayment, onPaidTogether, onPartPaid } from './features/invoices/server/tasks.ts'
import { onCrewArchived, onVisitSettled } from './features/jobs/server/tasks.ts'
import {
  onJobBooked,
  onMessageLeft,
  onQuoteApproved,
  onQuoteDeclined,
  onQuoteSent,
  onUnknownMessage,
} from './features/leads/server/tasks.ts'
import {
  onApplicationAmended,
  onApplicationRecorded,
  onVisitLeft,
  onVisitsStrayed,
} from './features/notices/server/tasks.ts'
import { onPaidTooMuch } from './features/payments/checkout/server/tasks.ts'
import { onBusinessClosed } from './features/payments/connect/server/tasks.ts'
import { onCreditAdded, onCreditNoted, onWorkVoided } from './features/payments/credits/server/tasks.ts'
import { onReceiptWanted } from './features/payments/door/server/tasks.ts'
import {
  onAccountOpened,
  onCustomersImported,
  onInvoiceIssued,
  onRoutePublished,
  onSubscriptionChanged,
} from './features/prospects/sprint/server/tasks.ts'
import { onRenewalApproved } from './features/quotes/server/tasks.ts'
import { onReferredPaid } from './features/referrals/server/tasks.ts'
import { onCrewStaffed, onRainStrayed, onTimeChanged } from './features/routes/server/tasks.ts'
import { onSeasonStepUndone } from './features/season/server/tasks.ts'
import { onBusinessClosed as onSenderClosed } from './features/senders/domains/server/tasks.ts'
import { onEmployeeDeactivated, onVisitWorkChanged } from './features/timeclock/server/tasks.ts'
import type { AnySubscriber } from './platform/events/events.ts'

/** What one feature causes in others, all in one place. */
export const subscribers: AnySubscriber[] = [
  onCrewArchived,
  onOffersEnded,
  onVisitSettled,
  onVisitCounted,
  onInvoiceVoided,
  onVisitLeft,
  onVisitWorkChanged,
  onVisitsStrayed,
  onApplicationAmended,
  onApplicationDecided,
  onSheetSettled,
  onApplicationRecorded,
  onInvoicePaid,
  onOverpayment,
  onPaidTooMuch,
  onPaidTogether,
  onPartPaid,
  onBusinessClosed,
  exportClosed,
  onSenderClosed,
  onCreditAdded,
  onCreditNoted,
  onWorkVoided,
  onReceiptWanted,
  notifyOfConflict,
  notifyOfNote,
  notifyOfSkew,
  onAddressChanged,
  onImport,
  onCustomersImported,
  onRoutePublished,
  onInvoiceIssued,
  onAccountOpened,
  onSubscriptionChanged,
  onCrewStaffed,
  onTimeChanged,
  onRainStrayed,
  onSeasonStepUndone,
  onEmployeeDeactivated,
  onJobBooked,
  onQuoteSent,
  onRenewalApproved,
  onQuoteApproved,
  onQuoteDeclined,
  onMessageLeft,
  onUnknownMessage,
  onReferredPaid,
]
