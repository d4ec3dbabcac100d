import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { reportOf } from '../rules.ts'
import type { Turn } from './queries.ts'

/** Tells the office what an automatic turn made and left out; of a batch that a person started they see it themselves. */
export const tellOfAutomaticTx = async (
  db: TenantDb,
  which: { batchId: string } | { runId: string },
): Promise<void> => {
  const row = await db
    .selectFrom('automaticInvoiceRuns as r')
    .leftJoin('invoiceBatches as b', (join) =>
      join.onRef('b.businessId', '=', 'r.businessId').onRef('b.id', '=', 'r.batchId'),
    )
    .where('r.businessId', '=', db.businessId)
    .where((eb) => ('batchId' in which ? eb('r.batchId', '=', which.batchId) : eb('r.id', '=', which.runId)))
    .select([
      'r.rhythm',
      'r.turnOn',
      'r.batchId',
      'r.noPrice',
      'r.onHold',
      'r.more',
      'b.send',
      'b.total',
      'b.invoiceCount',
      'b.mailedCount',
      'b.totalCents',
    ])
    .executeTakeFirst()
  if (!row) return
  const invoiceCount = row.invoiceCount ?? 0
  const report = reportOf({
    send: row.send ?? true,
    invoiceCount,
    totalCents: Number(row.totalCents ?? 0),
    unmailedCount: row.send ? invoiceCount - (row.mailedCount ?? 0) : 0,
    changedCount: (row.total ?? 0) - invoiceCount,
    noPriceCount: row.noPrice.length,
    onHoldCount: row.onHold,
    more: row.more,
  })
  if (!report) return
  await notifyOffice(db, {
    type: 'invoice',
    ...report,
    path: row.batchId && invoiceCount > 0 ? linkTo.invoices({ batch: row.batchId }) : linkTo.newInvoices(),
    dedupeKey: `automatic-invoices:${row.rhythm}:${row.turnOn}`,
  })
}

/** Tells the office once that a turn is refused, with why: nobody is at the screen, and it is looked at again until it goes. */
export const tellOfRefusedTx = (db: TenantDb, { rhythm, on }: Turn, reason: string): Promise<void> =>
  notifyOffice(db, {
    type: 'invoice',
    title: `The automatic invoices of ${formatDay(on)} were not made`,
    content: `${reason} They are tried again every ten minutes; you can invoice the finished visits by hand.`,
    path: linkTo.newInvoices(),
    dedupeKey: `automatic-invoices-refused:${rhythm}:${on}`,
  })
