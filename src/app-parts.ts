import { subscribers } from './app-events.ts'
import { readSession } from './features/accounts/server/session-reader.ts'
import { automationWatch } from './features/automations/server/leaving.ts'
import { listBusinessIds, listOpenBusinessIds } from './features/businesses/server/queries.ts'
import { setNumberTaking } from './features/customers/numbers/server/commands.ts'
import { setWageCheck } from './features/employees/wages/server/hold.ts'
import { setExpenseBooks } from './features/expenses/server/commands.ts'
import { setQuotes } from './features/invoices/again/server/quotes.ts'
import { checkOpenDaysTx, openDayTx } from './features/invoices/closing/server/commands.ts'
import { setPages } from './features/invoices/pending/server/pages.ts'
import { setSpending } from './features/invoices/server/commands.ts'
import { priceWatch } from './features/jobs/prices/server/leaving.ts'
import { takeNumberOfLeadsTx } from './features/leads/server/numbers.ts'
import { setWatches } from './features/messages/server/delivery/commands.ts'
import { endPagesOf } from './features/payments/checkout/server/commands.ts'
import { giveBackAtVoidTx, readSpendable, spendAtIssueTx } from './features/payments/credits/server/commands.ts'
import { endPagesTx } from './features/payments/server/commands.ts'
import { hasOpenDepositPage } from './features/quotes/deposits/server/queries.ts'
import { lockQuoteTx } from './features/quotes/server/rows.ts'
import { logAccess } from './features/support/server/commands.ts'
import { findVisit } from './features/support/server/queries.ts'
import { checkWageDay } from './features/timeclock/payroll/server/queries.ts'
import { findTour } from './features/tour/server/queries.ts'
import { config } from './platform/config.ts'
import { setSubscribers } from './platform/events/events.ts'
import { setSessionReader } from './platform/http/session.ts'
import { setSupportBook } from './platform/http/support.ts'
import { setTourReader } from './platform/http/tour.ts'
import { setBusinessList } from './platform/tasks/walk.ts'

/**
 * Hands the platform what only features know. Every process begins with it: one that answers, and one that only works on tasks.
 * Who plays the providers on one's own computer is not even loaded in production.
 */
export const compose = async (): Promise<void> => {
  setSubscribers(subscribers)
  setSessionReader(readSession)
  setSupportBook({ findVisit, logAccess })
  setTourReader(findTour)
  setBusinessList({ all: listBusinessIds, open: listOpenBusinessIds })
  setSpending({ spendTx: spendAtIssueTx, giveBackTx: giveBackAtVoidTx, spendable: readSpendable })
  setQuotes({ lockTx: lockQuoteTx, hasOpenDepositPage })
  setPages({ end: endPagesOf, endTx: endPagesTx })
  setWatches({ automation_run: automationWatch, price_change: priceWatch })
  setWageCheck(checkWageDay)
  setNumberTaking(takeNumberOfLeadsTx)
  setExpenseBooks({ check: checkOpenDaysTx, openDay: openDayTx })
  if (!config.production) (await import('./local/providers.ts')).playProviders()
}
