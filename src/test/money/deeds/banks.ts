import { failLocalRefund, refundInDashboard } from '../../../local/payments/checkout.ts'
import { letDaysPass } from '../../../local/payments/clearing.ts'
import { openLocalDispute, reverseLocalDispute, stepLocalDispute } from '../../../local/payments/disputes.ts'
import { deliverLocalEvents } from '../../../local/payments/events.ts'
import { payOutAtRandom } from '../../cards.ts'
import { type Dice, pick, pickRecent } from '../dice.ts'
import { deliver } from '../post.ts'
import { disputesOf, paymentsOf, refundsOf } from '../provider.ts'
import type { Deed } from '../world.ts'

// What the provider and the banks behind it do, whether our side has heard of it or not.

const hear: Deed = async ({ post }, dice) => {
  const waiting = post.waiting.length
  const brought = await deliver(post, dice, dice(3) === 0 ? 1 + dice(3) : undefined)
  return waiting > 0 ? `heard ${brought} of ${waiting}` : null
}

const tellRefund = (account: string, id: string): Promise<void> =>
  deliverLocalEvents([{ type: 'refund.updated', account, object: { id, object: 'refund' } }])

/** Somebody gives money back in the provider's dashboard, also before its payment is booked here. */
const dashboard: Deed = async (world, dice) => {
  const open = (await paymentsOf(world)).filter((one) => one.cents > one.refundedCents + one.heldCents)
  const one = pickRecent(dice, open)
  if (!one) return null
  const left = one.cents - one.refundedCents - one.heldCents
  const cents = dice(3) === 0 ? left : 1 + dice(left)
  const { id } = await refundInDashboard(one.id, cents, world.account)
  await tellRefund(world.account, id)
  return `${cents} of ${one.cents} refunded in the dashboard`
}

/** The bank of who got a refund says no, days later. */
const refundFails: Deed = async (world, dice) => {
  const refund = pickRecent(dice, await refundsOf((await paymentsOf(world)).map(({ id }) => id)))
  if (!refund) return null
  await failLocalRefund(refund.id)
  await tellRefund(world.account, refund.id)
  return `refund of ${refund.cents} failed`
}

const part = (dice: Dice, cents: number): number => (dice(2) === 0 ? cents : 1 + dice(cents))

const dispute: Deed = async (world, dice) => {
  const one = pickRecent(
    dice,
    (await paymentsOf(world)).filter(({ cents, heldCents }) => cents > heldCents),
  )
  if (!one) return null
  const amountCents = part(dice, one.cents - one.heldCents)
  const kind = dice(4) === 0 ? 'inquiry' : 'dispute'
  await openLocalDispute(world.account, one.id, { kind, reason: 'unrecognized', amountCents })
  return `${kind} about ${amountCents} of ${one.cents}`
}

const steps = ['win', 'win', 'lose', 'escalate'] as const
const decide: Deed = async (world, dice) => {
  const open = (await disputesOf(world)).filter(({ status }) => status === 'needs_response')
  const one = pickRecent(dice, open)
  const step = pick(dice, steps) ?? 'win'
  if (!one || (step === 'escalate' && one.kind !== 'inquiry')) return null
  await stepLocalDispute(one.id, step)
  return `${one.kind} of ${one.amountCents}: ${step}`
}

/** A bank decides otherwise than it had. */
const decideAnew: Deed = async (world, dice) => {
  const one = pickRecent(
    dice,
    (await disputesOf(world)).filter(
      ({ kind, status }) => kind === 'dispute' && (status === 'won' || status === 'lost'),
    ),
  )
  if (!one) return null
  await reverseLocalDispute(one.id)
  return `${one.status} dispute of ${one.amountCents}: otherwise`
}

/** The banks of who paid from an account answer, or take back what they may. */
const banksAnswer: Deed = async ({ account, post }) => {
  const before = post.told.length
  await letDaysPass(account)
  return post.told.length > before ? 'banks answered' : null
}

const payOut: Deed = async ({ own, post }, dice) => {
  const before = post.told.length
  await payOutAtRandom(own, dice)
  return post.told.length > before ? 'paid out' : null
}

export const banks = { hear, dashboard, refundFails, dispute, decide, decideAnew, banksAnswer, payOut }
