import { type Expression, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Day } from '../../../shared/dates.ts'
import { daysToPayFrom } from '../../../shared/days-to-pay.ts'
import type { InvoiceView } from '../aging/contract.ts'
import { byAge, isOfAge } from '../aging/server/queries.ts'
import { isCharged } from '../pending/server/queries.ts'

export type View = z.output<typeof InvoiceView>

/** What each view of the list means, for SQL over `invoices`. */
export const views = (today: Day): Record<View, Expression<SqlBool>> => ({
  all: sql<boolean>`true`,
  drafts: sql<boolean>`invoices.status = 'draft'`,
  // a late fee goes with the reminder of its invoice, not by a mail of its own; what its customer has opened has reached them
  unsent: sql<boolean>`invoices.status in ('issued', 'partially_paid') and invoices.sent_at is null and invoices.printed_at is null and invoices.viewed_at is null
    and not exists (select from late_fees f where f.business_id = invoices.business_id and f.fee_invoice_id = invoices.id)`,
  open: sql<boolean>`invoices.status in ('issued', 'partially_paid')`,
  overdue: sql<boolean>`invoices.status in ('issued', 'partially_paid') and invoices.due_on < ${today}`,
  paid: sql<boolean>`invoices.status = 'paid'`,
  pending: sql<boolean>`invoices.pending_cents > 0`,
  autopay: isCharged(today),
  void: sql<boolean>`invoices.status = 'void'`,
  written_off: sql<boolean>`invoices.status = 'written_off'`,
  paid_lately: sql<boolean>`invoices.paid_on >= ${daysToPayFrom(today)}`,
  ...byAge((age) => sql<boolean>`invoices.status in ('issued', 'partially_paid') and ${isOfAge(age, today)}`),
})
