import { withTenant } from '../../../../platform/db/tenant.ts'
import { subscriber } from '../../../../platform/events/events.ts'
import { paragraph, small, writeLetter } from '../../../../platform/mail/letter.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { forEach, forEachBusiness } from '../../../../platform/tasks/walk.ts'
import { formatCents } from '../../../../shared/money.ts'
import { firstNameOf } from '../../../../shared/names.ts'
import { contactOf } from '../../../businesses/rules.ts'
import { getContact } from '../../../customers/server/queries.ts'
import { isPaidTogether } from '../../../invoices/papers/server/queries.ts'
import { invoiceName } from '../../../invoices/rules.ts'
import { getSender } from '../../../invoices/server/commands.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { sweepRefunds } from '../../corrections/server/tasks.ts'
import { sweepDebits } from '../../debits/server/sweep.ts'
import { sweepPages } from './commands.ts'

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

/** A card brought more than was open: paid twice, or for an invoice that was voided meanwhile. Its holder hears that the money is theirs. */
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
      const customer = await getContact(db, row.customerId)
      if (!customer.email) return
      const sender = await getSender(db)
      const [rest, name] = [formatCents(overpaymentCents), invoiceName(row.number)]
      const many = await isPaidTogether(db, paymentId)
      const why = many
        ? `Part of what you paid for had been paid or closed in the meantime: ${rest} of your payment was more than was open.`
        : row.status === 'void'
          ? `${name} was voided while your payment of ${rest} was on its way.`
          : `More came for ${name} than was open on it: ${rest} too much, most likely because it was paid twice.`
      const contact = contactOf(sender)
      await queueMessage(db, {
        channel: 'email',
        purpose: 'transactional',
        address: customer.email,
        dedupeKey: `paid-too-much:${paymentId}`,
        subject:
          row.status === 'void' && !many
            ? `${name} from ${sender.name} was voided: your ${rest} is credit`
            : `You paid ${sender.name} ${rest} too much`,
        ...writeLetter({
          from: sender.name,
          brandColor: sender.brandColor,
          title: 'Your credit',
          parts: [
            paragraph(`Hello ${firstNameOf(customer.name)},`),
            paragraph(
              `${why} It is yours: we keep it as credit for your next invoice. If you would rather have it back, just answer this mail.`,
            ),
            small(contact ? `${sender.name}\n${contact}` : sender.name),
          ],
        }),
        customerId: row.customerId,
        entity: { type: 'invoice', id: invoiceId },
      })
    })
  },
})
