import type { z } from 'zod'
import { withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { PaymentRefused } from '../../../../platform/payments/provider.ts'
import { providerNamed } from '../../../../platform/payments/providers.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { task } from '../../../../platform/tasks/task.ts'
import { forEachBusiness } from '../../../../platform/tasks/walk.ts'
import { inThread } from '../../../../platform/threads.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { printPicture } from '../../../files/server/image/commands.ts'
import type { BillTo } from '../../../invoices/contract.ts'
import { renderInvoices } from '../../../invoices/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { mostAttached, photosLine } from '../rules.ts'
import { setDisputeTx } from './books.ts'
import { submitTask } from './commands.ts'
import { collectEvidence } from './evidence.ts'
import type { evidencePdf } from './pdf.ts'
import { sweepDisputes, syncDispute } from './sync.ts'

/** Every night: disputes whose word got lost are asked after. */
export const sweepAllDisputes: GlobalTask = {
  name: 'payments.sweepDisputes',
  run: () => forEachBusiness('the look after open disputes', sweepDisputes),
}
export const sweepDisputesSchedule: Schedule = { task: sweepAllDisputes.name, match: '20 10 * * *' }

const pdfModule = new URL('./pdf.ts', import.meta.url)

const readWork = (actor: Parameters<typeof withTenant>[0], disputeId: string) =>
  withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('disputes')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', disputeId)
      .executeTakeFirst()
    return row?.submission === 'sending' ? { row, ...(await collectEvidence(db, row)) } : null
  })

/** Hands evidence to the bank: words, the invoices and a paper with the photos. Cut off and begun again it is taken once, by its own key. */
export const submitWork = task({
  ...submitTask,
  run: async (actor, { disputeId }) => {
    const work = await readWork(actor, disputeId)
    if (!work) return
    const { row, facts, photos, invoices, customerId } = work
    let text = row.evidenceText ?? ''
    const provider = providerNamed(row.provider)
    const settle = (submission: 'sent' | 'refused', problem: string | null) =>
      withTenant(actor, async (db) => {
        await setDisputeTx(db, disputeId, {
          submission,
          problem,
          ...(problem === null ? {} : { submittedAt: null, submittedBy: null }),
        })
        if (problem !== null)
          await notifyOffice(db, {
            type: 'invoice',
            title: `The bank did not take your evidence about ${formatCents(row.amountCents)} of ${facts.customer.name}`,
            content: `${problem} Your words are kept: open the dispute and look what can be done.`,
            customerId,
            path: linkTo.dispute(disputeId),
            dedupeKey: `evidence:${disputeId}:${row.submittedAt}`,
          })
        await publishChange(db, 'payments', [row.paymentId])
      })
    if (!provider) {
      await settle('refused', 'The payment provider that took this payment is not set up any more.')
      return
    }
    const pictures = (await Promise.all(photos.map(({ storageKey }) => printPicture(storageKey, 'photo')))).filter(
      (picture) => picture !== null,
    )
    // a bank reads no word of photos that cannot be read any more
    if (pictures.length === 0) text = text.replace(photosLine, '').trim()
    const paper = await inThread<typeof evidencePdf>(pdfModule, 'evidencePdf', {
      title: `${facts.business}: payment of ${formatCents(row.amountCents)}`,
      text,
      pictures,
    })
    const attached = invoices.slice(0, mostAttached).map(({ id }) => id)
    const drawn = attached.length > 0 ? await renderInvoices(actor.businessId, attached) : null
    const [visit] = facts.visits
    const bill = invoices[0] ? (invoices[0].billTo as unknown as z.output<typeof BillTo>) : null
    try {
      await provider.submitEvidence(
        {
          disputeId: row.providerDisputeId,
          evidence: {
            text,
            product: visit ? `Lawn care at ${visit.place}: ${visit.work}` : 'Lawn and landscape care',
            serviceOn: visit?.day ?? null,
            customerName: facts.customer.name,
            customerEmail: facts.customer.email,
            billingAddress: bill
              ? [bill.street, bill.city, bill.state, bill.zip].filter(Boolean).join(', ') || null
              : null,
            invoice: drawn,
            work: paper,
          },
          requestKey: `evidence:${disputeId}:${Date.parse(row.submittedAt ?? '')}`,
        },
        row.accountId,
      )
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error
      await settle('refused', error.message)
      return
    }
    await settle('sent', null)
    await syncDispute(row.providerDisputeId, row.accountId)
  },
  // what nobody answered for is the office's again: a bank decides without evidence that never came
  gaveUp: (actor, { disputeId }) =>
    withTenant(actor, async (db) => {
      const row = await db
        .selectFrom('disputes')
        .innerJoin('payments', (join) =>
          join.onRef('payments.businessId', '=', 'disputes.businessId').onRef('payments.id', '=', 'disputes.paymentId'),
        )
        .innerJoin('customers', (join) =>
          join
            .onRef('customers.businessId', '=', 'payments.businessId')
            .onRef('customers.id', '=', 'payments.customerId'),
        )
        .where('disputes.businessId', '=', db.businessId)
        .where('disputes.id', '=', disputeId)
        .where('disputes.submission', '=', 'sending')
        .select([
          'disputes.amountCents',
          'disputes.paymentId',
          'disputes.submittedAt',
          'customers.id as customerId',
          'customers.name',
        ])
        .forUpdate('disputes')
        .executeTakeFirst()
      if (!row) return
      const problem = 'The card provider did not answer, so the bank does not have your evidence yet.'
      await setDisputeTx(db, disputeId, { submission: 'refused', problem, submittedAt: null, submittedBy: null })
      await notifyOffice(db, {
        type: 'invoice',
        title: `Your evidence about ${formatCents(Number(row.amountCents))} of ${row.name} could not be sent`,
        content: `${problem} Your words are kept: open the dispute and send it again before its day.`,
        customerId: row.customerId,
        path: linkTo.dispute(disputeId),
        dedupeKey: `evidence:${disputeId}:${row.submittedAt}`,
      })
      await publishChange(db, 'payments', [row.paymentId])
    }),
})
