import { type SystemActor, systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { asBusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { log } from '../../../../platform/log.ts'
import { PaymentRefused, type Refund } from '../../../../platform/payments/provider.ts'
import { findRefund, providerNamed } from '../../../../platform/payments/providers.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { task } from '../../../../platform/tasks/task.ts'
import { forEachBusiness } from '../../../../platform/tasks/walk.ts'
import type { StoredWebhook } from '../../../../platform/webhooks.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { addLedgerEntryTx, lockInvoicesTx, openDayTx } from '../../../invoices/server/commands.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { putTipBackTx } from '../../tips/server/rows.ts'
import { refundTask } from './commands.ts'
import { compareBooks } from './queries.ts'
import { coverDisputesTx, lockPaymentTx, putBackTx } from './rows.ts'

const readRefund = (db: TenantDb, refundId: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', (join) =>
      join.onRef('payments.businessId', '=', 'refunds.businessId').onRef('payments.id', '=', 'refunds.paymentId'),
    )
    .innerJoin('customers', (join) =>
      join.onRef('customers.businessId', '=', 'payments.businessId').onRef('customers.id', '=', 'payments.customerId'),
    )
    .where('refunds.businessId', '=', db.businessId)
    .where('refunds.id', '=', refundId)
    .select([
      'refunds.status',
      'refunds.amountCents',
      'refunds.paymentId',
      'refunds.providerRefundId',
      'payments.provider',
      'payments.providerPaymentId',
      'payments.accountId',
      'customers.id as customerId',
      'customers.name as customerName',
    ])
    .executeTakeFirst()

const setRefundTx = (
  db: TenantDb,
  refundId: string,
  change: { status: 'succeeded' | 'failed'; providerRefundId?: string; problem?: string },
) =>
  db
    .updateTable('refunds')
    .set({ ...change, updatedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', refundId)
    .where('status', '!=', 'failed')
    .returning('id')
    .executeTakeFirst()

/** The money did not go back: it is the customer's again, on the invoices that it was taken off as far as they are open. */
const failRefund = (actor: SystemActor, refundId: string, problem: string): Promise<void> =>
  withTenant(actor, async (db) => {
    const refund = await readRefund(db, refundId)
    if (!refund) return
    const { paymentId, customerId, amountCents } = refund
    const reversals = await db
      .selectFrom('allocationReversals')
      .select(['invoiceId', 'amountCents'])
      .where('businessId', '=', db.businessId)
      .where('refundId', '=', refundId)
      .execute()
    const invoices = await lockInvoicesTx(
      db,
      reversals.map(({ invoiceId }) => invoiceId),
    )
    await lockPaymentTx(db, paymentId)
    if (!(await setRefundTx(db, refundId, { status: 'failed', problem }))) return
    // what a dispute took a second time it took once, now that the refund did not go
    const backCents = amountCents - (await coverDisputesTx(db, paymentId, amountCents))
    if (backCents > 0) {
      await db
        .updateTable('payments')
        .set((eb) => ({ refundedCents: eb('refundedCents', '-', backCents) }))
        .where('businessId', '=', db.businessId)
        .where('id', '=', paymentId)
        .execute()
      await putBackTx(db, paymentId, reversals, invoices)
      const { day: onDay } = await openDayTx(db, await todayOf(db))
      await putTipBackTx(db, { id: paymentId, customerId }, { refundId }, { onDay, refundId })
      await addLedgerEntryTx(db, {
        customerId,
        kind: 'adjustment',
        amountCents: -backCents,
        refType: 'refund',
        refId: refundId,
        onDay,
      })
    }
    await notifyOffice(db, {
      type: 'invoice',
      title: `The refund of ${formatCents(amountCents)} to ${refund.customerName} did not go through`,
      content: `${problem} The money is booked as before. Give it back another way, or keep it as credit.`,
      customerId,
      path: linkTo.customer(customerId),
      dedupeKey: `refund-failed:${refundId}`,
    })
    await publishChange(db, 'payments', [paymentId])
    if (invoices.length > 0)
      await publishChange(
        db,
        'invoices',
        invoices.map(({ id }) => id),
      )
  })

/** Asks the provider to give a card payment back; asked again it gives it back once, by the refund's own key. */
export const refundWork = task({
  ...refundTask,
  run: async (actor, { refundId }) => {
    const refund = await withTenant(actor, (db) => readRefund(db, refundId))
    if (refund?.status !== 'pending' || refund.providerPaymentId === null) return
    const provider = providerNamed(refund.provider)
    if (!provider) {
      await failRefund(actor, refundId, 'The payment provider that took this payment is not set up any more.')
      return
    }
    let given: Refund
    try {
      given = await provider.refund(
        {
          paymentId: refund.providerPaymentId,
          amountCents: refund.amountCents,
          mark: { businessId: actor.businessId, refundId },
          requestKey: `refund:${refundId}`,
        },
        refund.accountId,
      )
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error
      await failRefund(actor, refundId, error.message)
      return
    }
    if (given.failed) await failRefund(actor, refundId, 'The payment provider did not give it back.')
    else
      await withTenant(actor, async (db) => {
        await setRefundTx(db, refundId, { status: 'succeeded', providerRefundId: given.id })
        await publishChange(db, 'payments', [refund.paymentId])
      })
  },
})

/** A stored event about a refund: the provider is asked what became of it, because a bank may refuse it after days. */
export const processRefundEvent = async (event: StoredWebhook): Promise<void> => {
  const id = (event.payload as { data?: { object?: { id?: string } } }).data?.object?.id
  if (!id || !(event.type.startsWith('refund.') || event.type === 'charge.refund.updated')) return
  const account = event.account || null
  const refund = await findRefund(id, account)
  if (!refund?.mark || !refund.failed) return
  const { businessId, refundId } = refund.mark
  const actor = systemActor(asBusinessId(businessId))
  const known = await withTenant(actor, (db) => readRefund(db, refundId))
  if (!known) return
  // The mark is words that whoever owns an account can write: what counts is the account that the payment was taken into.
  if (known.accountId !== account || (known.providerRefundId ?? id) !== id) {
    log.error({ refund: id, account }, 'a refund does not fit its payment')
    return
  }
  await failRefund(actor, refundId, 'The customer’s bank did not take the money.')
}

/** Every night: what customers owe by the ledger against their open invoices and unused money. A cent of difference is told. */
export const compareAllBooks: GlobalTask = {
  name: 'payments.compareAllBooks',
  run: () =>
    forEachBusiness('the comparison of the books', (actor) =>
      withTenant(actor, async (db) => {
        const differences = await compareBooks(db)
        for (const { customerId, cents } of differences) {
          log.error({ businessId: actor.businessId, customerId, cents }, 'a balance does not fit its invoices')
          await notifyOffice(db, {
            type: 'invoice',
            title: `A balance is off by ${formatCents(Math.abs(cents))}`,
            content:
              'The account of this customer does not add up with its invoices. Please tell support: it is our mistake.',
            customerId,
            path: linkTo.customer(customerId),
            dedupeKey: `books:${customerId}:${cents}`,
          })
        }
      }),
    ),
}

/** At 9:40 UTC, after the visits were topped up. */
export const compareBooksSchedule: Schedule = { task: compareAllBooks.name, match: '40 9 * * *' }
