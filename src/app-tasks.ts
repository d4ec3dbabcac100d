import { compose } from './app-parts.ts'
import {
  deleteAllClosed,
  deleteClosedBusiness,
  deleteClosedSchedule,
} from './features/accounts/closing/server/tasks.ts'
import {
  compareAllDays,
  compareAllDaysSchedule,
  countAllMarked,
  countAllMarkedSchedule,
} from './features/analytics/rollups/server/tasks.ts'
import { runAllAutomations, runAutomationsSchedule } from './features/automations/server/tasks.ts'
import {
  billMonths,
  billMonthsSchedule,
  checkAllPlans,
  checkPlansSchedule,
} from './features/billingplans/server/tasks.ts'
import { stepCampaign, sweepCampaigns, sweepCampaignsSchedule } from './features/campaigns/server/tasks.ts'
import { remindOffice } from './features/chat/server/tasks.ts'
import { fetchProspectTextPhotos } from './features/desk/photos/server/tasks.ts'
import { sendAllDigests, sendAllDigestsSchedule } from './features/digests/server/tasks.ts'
import { bookAllRecurring, bookAllRecurringSchedule } from './features/expenses/recurring/server/tasks.ts'
import { expireExport, makeExport } from './features/exports/server/tasks.ts'
import { findAddresses } from './features/geocoding/server/tasks.ts'
import { undoImportTask, writeImport } from './features/imports/server/tasks.ts'
import { automaticInvoices, automaticInvoicesSchedule } from './features/invoices/automatic/server/tasks.ts'
import { chargeFees, chargeFeesSchedule } from './features/invoices/latefees/server/tasks.ts'
import { remindOfInvoices, remindOfInvoicesSchedule } from './features/invoices/reminders/server/tasks.ts'
import { continueInvoiceBatch, sendInvoiceWork } from './features/invoices/server/tasks.ts'
import { continueStatementRun, sendStatementWork } from './features/invoices/statements/server/tasks.ts'
import { continueBatch, tellPricesTask, topUpAll, topUpSchedule, topUpVisits } from './features/jobs/server/tasks.ts'
import { remindOffice as remindOfLeads } from './features/leads/server/tasks.ts'
import { sendMailingWork } from './features/mailings/server/tasks.ts'
import { wakeConversation } from './features/messages/conversations/server/tasks.ts'
import { wakeNumber } from './features/messages/numbers/server/tasks.ts'
import { fetchTextPhotos } from './features/messages/photos/server/tasks.ts'
import { sendMessage, sweepMessages, sweepMessagesSchedule } from './features/messages/server/tasks.ts'
import { remindAll, remindSchedule, tellMovesWork, tellTreatedWork } from './features/notices/server/tasks.ts'
import { processMethodEvent } from './features/payments/cards/server/renewals.ts'
import {
  autopayAll,
  autopayInvoiceWork,
  autopaySchedule,
  autopayWork,
  processChargeEvent,
} from './features/payments/cards/server/tasks.ts'
import { processPaymentEvent } from './features/payments/checkout/server/commands.ts'
import { sweepAllPages, sweepPagesSchedule } from './features/payments/checkout/server/tasks.ts'
import { processAccountEvent } from './features/payments/connect/server/commands.ts'
import {
  endPagesWork,
  fetchMissedEvents,
  missedEventsSchedule,
  syncAccountWork,
} from './features/payments/connect/server/tasks.ts'
import {
  compareAllBooks,
  compareBooksSchedule,
  processRefundEvent,
  refundWork,
} from './features/payments/corrections/server/tasks.ts'
import { spendAllWaiting, spendWaitingSchedule } from './features/payments/credits/server/tasks.ts'
import { processDisputeEvent } from './features/payments/disputes/server/sync.ts'
import { submitWork, sweepAllDisputes, sweepDisputesSchedule } from './features/payments/disputes/server/tasks.ts'
import { processPayoutEvent } from './features/payments/payouts/server/sync.ts'
import { lookAfterAllPayouts, lookAfterPayoutsSchedule } from './features/payments/payouts/server/tasks.ts'
import { processFeeEvent } from './features/prospects/fee/server/commands.ts'
import {
  sendProspectMessage,
  sweepProspectMessages,
  sweepProspectMessagesSchedule,
} from './features/prospects/outbox/server/tasks.ts'
import { walkSprints, walkSprintsSchedule } from './features/prospects/sprint/server/tasks.ts'
import { processMail, processTwilio } from './features/providers/server/tasks.ts'
import { sendPushWork } from './features/push/server/tasks.ts'
import {
  gatherBooks,
  lookAtBooks,
  lookAtBooksSchedule,
  processBooksEvent,
  pushBooks,
  sweepBooks,
  sweepBooksSchedule,
} from './features/quickbooks/server/tasks.ts'
import { processDepositEvent } from './features/quotes/deposits/server/commands.ts'
import { bookRenewal } from './features/quotes/renewals/server/booking.ts'
import { continueRun } from './features/quotes/renewals/server/steps.ts'
import { lookAfterQuotes, lookAfterQuotesSchedule } from './features/quotes/server/tasks.ts'
import {
  forgetReportFiles,
  forgetReportFilesSchedule,
  sendAllReports,
  sendAllReportsSchedule,
} from './features/reports/server/tasks.ts'
import { askAllForReviews, askForReviewsSchedule } from './features/reviews/server/tasks.ts'
import { lookAtSenders, lookAtSendersSchedule } from './features/senders/domains/server/tasks.ts'
import {
  checkSubscription,
  checkSubscriptions,
  checkSubscriptionsSchedule,
  processSubscriptionEvent,
} from './features/subscriptions/server/tasks.ts'
import { tidyAll, tidyBusiness, tidySchedule } from './features/system/server/tasks.ts'
import {
  closeForgottenEntries,
  closeForgottenSchedule,
  keepLockedSchedule,
  keepLockedWeeks,
} from './features/timeclock/server/tasks.ts'
import { renewTour, renewTourSchedule } from './features/tour/server/tasks.ts'
import { fetchTravelTimesTask } from './features/travel/server/tasks.ts'
import { readForecastsTask } from './features/weather/server/tasks.ts'
import { flushChanges } from './platform/events/changes.ts'
import { deliverEvent } from './platform/events/events.ts'
import { type GlobalTask, type Schedule, startTasks } from './platform/tasks/runner.ts'
import type { AnyTask } from './platform/tasks/task.ts'
import { processWebhook, setWebhookProcessors, type WebhookProcessor } from './platform/webhooks.ts'

/** Every kind of background work of a business. */
export const tasks: AnyTask[] = [
  tidyBusiness,
  deliverEvent,
  sendMessage,
  fetchTextPhotos,
  wakeConversation,
  wakeNumber,
  sendMailingWork,
  stepCampaign,
  sendPushWork,
  tellMovesWork,
  tellTreatedWork,
  sendInvoiceWork,
  continueStatementRun,
  sendStatementWork,
  continueInvoiceBatch,
  refundWork,
  syncAccountWork,
  endPagesWork,
  autopayWork,
  autopayInvoiceWork,
  submitWork,
  writeImport,
  undoImportTask,
  continueBatch,
  continueRun,
  bookRenewal,
  tellPricesTask,
  topUpVisits,
  fetchTravelTimesTask,
  checkSubscription,
  findAddresses,
  deleteClosedBusiness,
  makeExport,
  expireExport,
  readForecastsTask,
  pushBooks,
  gatherBooks,
  remindOffice,
  remindOfLeads,
]

/** Who works off the stored webhooks of each provider. */
export const webhookProcessors: Record<string, WebhookProcessor> = {
  mail: processMail,
  twilio: processTwilio,
  quickbooks: processBooksEvent,
  // Customers' money and our own come by one address; each looks only at its own.
  stripe: async (event) => {
    await processPaymentEvent(event)
    await processChargeEvent(event)
    await processMethodEvent(event)
    await processDepositEvent(event)
    await processRefundEvent(event)
    await processDisputeEvent(event)
    await processPayoutEvent(event)
    await processAccountEvent(event)
    await processSubscriptionEvent(event)
    await processFeeEvent(event)
  },
}
setWebhookProcessors(webhookProcessors)

/** Work without a business: stored webhooks, nightly walks. */
export const globalTasks: GlobalTask[] = [
  tidyAll,
  processWebhook,
  closeForgottenEntries,
  keepLockedWeeks,
  topUpAll,
  compareAllBooks,
  countAllMarked,
  compareAllDays,
  bookAllRecurring,
  remindOfInvoices,
  chargeFees,
  automaticInvoices,
  forgetReportFiles,
  sendAllDigests,
  sendAllReports,
  lookAfterQuotes,
  billMonths,
  checkAllPlans,
  autopayAll,
  sweepAllPages,
  sweepAllDisputes,
  spendAllWaiting,
  fetchMissedEvents,
  lookAfterAllPayouts,
  fetchProspectTextPhotos,
  sendProspectMessage,
  sweepMessages,
  lookAtSenders,
  sweepCampaigns,
  remindAll,
  askAllForReviews,
  runAllAutomations,
  sweepProspectMessages,
  checkSubscriptions,
  deleteAllClosed,
  walkSprints,
  renewTour,
  sweepBooks,
  lookAtBooks,
]

/** When nightly work starts, in UTC; what is due in a business's own zone is decided there. */
export const schedule: Schedule[] = [
  tidySchedule,
  closeForgottenSchedule,
  keepLockedSchedule,
  topUpSchedule,
  compareBooksSchedule,
  countAllMarkedSchedule,
  compareAllDaysSchedule,
  bookAllRecurringSchedule,
  remindOfInvoicesSchedule,
  chargeFeesSchedule,
  automaticInvoicesSchedule,
  forgetReportFilesSchedule,
  sendAllDigestsSchedule,
  sendAllReportsSchedule,
  lookAfterQuotesSchedule,
  billMonthsSchedule,
  checkPlansSchedule,
  autopaySchedule,
  sweepPagesSchedule,
  sweepDisputesSchedule,
  spendWaitingSchedule,
  missedEventsSchedule,
  lookAfterPayoutsSchedule,
  checkSubscriptionsSchedule,
  deleteClosedSchedule,
  walkSprintsSchedule,
  sweepMessagesSchedule,
  lookAtSendersSchedule,
  sweepCampaignsSchedule,
  remindSchedule,
  askForReviewsSchedule,
  runAutomationsSchedule,
  sweepProspectMessagesSchedule,
  renewTourSchedule,
  sweepBooksSchedule,
  lookAtBooksSchedule,
]

/** Starts the background work of this process. */
export const startWork = async (): Promise<{ stop: () => Promise<void> }> => {
  await compose()
  const work = await startTasks(tasks, globalTasks, schedule)
  return {
    stop: async () => {
      await work.stop()
      // What the last tasks changed is still to be told, and this process may have no server that would.
      await flushChanges()
    },
  }
}
