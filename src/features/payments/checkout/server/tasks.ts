import { withTenant } from '../../../../platform/db/tenant.ts'
import { subscriber } from '../../../../platform/events/events.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEach, forEachBusiness } from '../../../../platform/tasks/walk.ts'
import { formatCents } from '../../../../shared/money.ts'
import { isPaidTogether } from '../../../invoices/papers/server/queries.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { getSender } from '../../../invoices/server/commands.ts'
import { queuePaperTx } from '../../../messages/paperways/server/commands.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { sweepRefunds } from '../../corrections/server/tasks.ts'
import { sweepDebits } from '../../debits/server/sweep.ts'
import { sweepPages } from './commands.ts'
import { type TooMuchNews, tooMuchMail, tooMuchText } from './templates.ts'

/** Hourly: pages, bank payments and refunds whose word got lost are asked after. */
export const sweepAllPages: GlobalTask = {
  name: 'payments.sweepPages',
  run: () =>
    forEachBusiness('the look after open payment pages', async (actor) => {
      // each by itself: one page that cannot be looked at keeps no bank payment and no refund from being asked after
      await forEach(
        'the look after money on its way',
        [sweepPages, sweepDebits, sweepRefunds],
        (sweep) => ({ sweep: sweep.name }),
        (sweep) => sweep(actor),
      )
    }),
}
export const sweepPagesSchedule: Schedule = { task: sweepAllPages.name, match: '50 * * * *', onlyLatest: true }

/** A card brought more than was open: paid twice, or for an invoice that was voided meanwhile. Its holder hears that the money is theirs, as they have their papers. */
export const onPaidTooMuch = subscriber({
  name: 'payments.onPaidTooMuch',
  on: 'payment.recorded',
  run: async (actor, { paymentId, invoiceId, overpaymentCents }) => {
    if (overpaymentCents <= 0) return
    await withTenant(actor, async (db) => {
      const row = await db
        .selectFrom('payments')
        .innerJoin('invoices', (join) => join.onRef('invoices.businessId', '=', 'payments.businessId'))
        .where('payments.businessId', '=', db.businessId)
        .where('payments.id', '=', paymentId)
        .where('payments.provider', '!=', 'manual')
        .where('invoices.id', '=', invoiceId)
        .select(['payments.customerId', 'invoices.number', 'invoices.status'])
        .executeTakeFirst()
      if (!row) return
      const sender = await getSender(db)
      const { language, name } = await getPaperReach(db, row.customerId)
      const news: TooMuchNews = {
        language,
        customer: name,
        invoice: invoiceName(row.number),
        rest: formatCents(overpaymentCents),
        reason: (await isPaidTogether(db, paymentId)) ? 'together' : row.status === 'void' ? 'voided' : 'twice',
      }
      await queuePaperTx(db, {
        customerId: row.customerId,
        entity: { type: 'invoice', id: invoiceId },
        dedupeKey: `paid-too-much:${paymentId}`,
        mail: async () => tooMuchMail(news, sender),
        text: () => tooMuchText(news, sender.name),
      })
    })
  },
})
