import { type SystemActor, systemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { asBusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { log } from '../../../../platform/log.ts'
import { type PaymentProvider, PaymentRefused, type Refund } from '../../../../platform/payments/provider.ts'
import { findCharge, findRefund, providerNamed } from '../../../../platform/payments/providers.ts'
import type { GlobalTask, Schedule } from '../../../../platform/tasks/runner.ts'
import { task } from '../../../../platform/tasks/task.ts'
import { forEach, forEachBusiness } from '../../../../platform/tasks/walk.ts'
import type { StoredWebhook } from '../../../../platform/webhooks.ts'
import { linkTo } from '../../../../shared/links.ts'
import { formatCents } from '../../../../shared/money.ts'
import { notifyOffice } from '../../../notifications/server/commands.ts'
import { bookFirst } from '../../checkout/server/late.ts'
import { bookElsewhere, failRefund, readRefund, settleRefund } from './outcomes.ts'
import { compareBooks } from './queries.ts'
import { refundTask } from './refunds.ts'

/** A provider remembers a key for a day: a refund that was asked for earlier is looked for first, it could go back twice. */
const keyHours = 23
/** Whoever asks right now has their answer after so long at the latest. */
const quietMinutes = 10
const mostPerRun = 500

const isOlderThan = (at: string, minutes: number): boolean => Date.parse(at) < clock.nowMs() - minutes * 60_000

const listRefunds = async (provider: PaymentProvider, paymentId: string, account: string | null): Promise<Refund[]> => {
  try {
    return await provider.listRefunds(paymentId, account)
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    return []
  }
}

/** Asks the provider to give a payment back; asked again it gives it back once, by the refund's own key and by its mark. */
const giveBack = async (actor: SystemActor, refundId: string): Promise<void> => {
  const refund = await withTenant(actor, (db) => readRefund(db, refundId))
  if (refund?.status !== 'pending' || refund.providerPaymentId === null) return
  const { providerPaymentId: paymentId, accountId, amountCents } = refund
  const provider = providerNamed(refund.provider)
  if (!provider) {
    await failRefund(actor, refundId, 'The payment provider that took this payment is not set up any more.')
    return
  }
  if (isOlderThan(refund.createdAt, keyHours * 60)) {
    let all: Refund[]
    try {
      all = await provider.listRefunds(paymentId, accountId)
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error
      // the account is shut to us, and its key is forgotten: nobody will ever say
      await failRefund(
        actor,
        refundId,
        error.message,
        'It never got an answer, and your account cannot be looked at from here any more: look at the card provider whether it went back before you give it back another way.',
      )
      return
    }
    const made = all.find(({ mark }) => mark?.refundId === refundId)
    if (made) {
      await settleRefund(actor, refundId, made)
      return
    }
  }
  try {
    const mark = { businessId: actor.businessId, refundId }
    const request = { paymentId, amountCents, mark, requestKey: `refund:${refundId}` }
    await settleRefund(actor, refundId, await provider.refund(request, accountId))
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    const elsewhere = (await listRefunds(provider, paymentId, accountId)).filter(({ mark, failed }) => !mark && !failed)
    await failRefund(
      actor,
      refundId,
      error.message,
      elsewhere.length > 0
        ? `${formatCents(elsewhere.reduce((sum, one) => sum + one.amountCents, 0))} of this payment went back in your account at the card provider: look there before you give anything back.`
        : undefined,
    )
    if (accountId) for (const one of elsewhere) await bookElsewhere(actor, one, accountId)
  }
}

export const refundWork = task({
  ...refundTask,
  run: (actor, { refundId }) => giveBack(actor, refundId),
  gaveUp: (actor, { refundId }) =>
    withTenant(actor, async (db) => {
      const refund = await readRefund(db, refundId)
      if (refund?.status !== 'pending') return
      await notifyOffice(db, {
        type: 'invoice',
        title: `The refund of ${formatCents(refund.amountCents)} to ${refund.customerName} is not through yet`,
        content:
          'The card provider did not answer. Nothing was lost: we ask again every hour and tell you if it is refused. Please do not give it back another way meanwhile.',
        customerId: refund.customerId,
        path: linkTo.customer(refund.customerId),
        dedupeKey: `refund-waits:${refundId}`,
      })
    }),
})

/** Hourly: refunds that the provider never answered for. */
export const sweepRefunds = async (actor: SystemActor): Promise<void> =>
  forEach(
    'the look after refunds',
    await withTenant(actor, (db) =>
      db
        .selectFrom('refunds')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('status', '=', 'pending')
        .where('createdAt', '<', new Date(clock.nowMs() - quietMinutes * 60_000).toISOString())
        .orderBy('createdAt')
        .limit(mostPerRun)
        .execute(),
    ),
    ({ id }) => ({ refund: id }),
    ({ id }) => giveBack(actor, id),
  )

/**
 * Money that went back in the provider's dashboard before we had word that it came: what came is booked first, so that the refund has something to
 * be taken off. What the provider says is none of ours stays beside us.
 * @throws Error while it is ours and not booked yet: the event is tried again
 */
const bookPaidFirst = async (actor: SystemActor, paymentId: string | null, account: string): Promise<void> => {
  if (paymentId === null) return
  const isBooked = () =>
    withTenant(actor, (db) =>
      db
        .selectFrom('payments')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('providerPaymentId', '=', paymentId)
        .executeTakeFirst(),
    )
  if (await isBooked()) return
  const mark = (await findCharge(paymentId, account))?.mark
  if (mark?.businessId !== actor.businessId) return
  await bookFirst(actor, { mark, paymentId }, account)
  if (!(await isBooked())) throw new Error('A refund of a payment that is not booked yet.')
}

/** A stored event about a refund: the provider is asked what became of it, because a bank may refuse it after days. */
export const processRefundEvent = async (event: StoredWebhook): Promise<void> => {
  const id = (event.payload as { data?: { object?: { id?: string } } }).data?.object?.id
  if (!id || !(event.type.startsWith('refund.') || event.type === 'charge.refund.updated')) return
  const account = event.account || null
  const refund = await findRefund(id, account)
  if (!refund) return
  if (!refund.mark) {
    const found = account
      ? await database()
          .selectFrom('paymentAccountLookups')
          .select('businessId')
          .where('accountId', '=', account)
          .executeTakeFirst()
      : null
    if (!found || !account) return
    const actor = systemActor(asBusinessId(found.businessId))
    await bookPaidFirst(actor, refund.paymentId, account)
    await bookElsewhere(actor, refund, account)
    return
  }
  const { businessId, refundId } = refund.mark
  const actor = systemActor(asBusinessId(businessId))
  const known = await withTenant(actor, (db) => readRefund(db, refundId))
  if (!known) return
  // The mark is words that whoever owns an account can write: what counts is the account that the payment was taken into.
  if (
    known.accountId !== account ||
    (known.providerRefundId ?? id) !== id ||
    known.providerPaymentId !== refund.paymentId
  ) {
    log.error({ refund: id, account }, 'a refund does not fit its payment')
    return
  }
  if (refund.failed) await failRefund(actor, refundId, 'The customer’s bank did not take the money.')
  else await settleRefund(actor, refundId, refund)
}

/** Every night: what customers owe by the ledger against their invoices, their money and the parts of both. A cent of difference is told. */
export const compareAllBooks: GlobalTask = {
  name: 'payments.compareAllBooks',
  run: () =>
    forEachBusiness('the comparison of the books', (actor) =>
      withTenant(actor, async (db) => {
        const differences = await compareBooks(db)
        for (const { customerId, what, cents } of differences) {
          log.error({ businessId: actor.businessId, customerId, what, cents }, 'the books of a customer do not fit')
          await notifyOffice(db, {
            type: 'invoice',
            title: `${what === 'balance' ? 'A balance is' : 'The books of a customer are'} off by ${formatCents(Math.abs(cents))}`,
            content:
              'The account of this customer does not add up with its invoices. Please tell support: it is our mistake.',
            customerId,
            path: linkTo.customer(customerId),
            dedupeKey: `books:${customerId}:${what}:${cents}`,
          })
        }
      }),
    ),
}

/** At 9:40 UTC, after the visits were topped up. */
export const compareBooksSchedule: Schedule = { task: compareAllBooks.name, match: '40 9 * * *' }
