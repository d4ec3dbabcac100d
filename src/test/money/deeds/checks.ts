import { invoicesApi } from '../../../features/invoices/contract.ts'
import { paymentsApi } from '../../../features/payments/contract.ts'
import { correctionsApi } from '../../../features/payments/corrections/contract.ts'
import { addDays } from '../../../shared/dates.ts'
import { type Dice, pick, pickRecent } from '../dice.ts'
import { type Deed, press, type World } from '../world.ts'

// Checks and cash, and money that the office hands back.

const methods = ['check', 'cash', 'ach', 'other'] as const

type Also = { cents: number; discountCents: number } | null
type HowMuch = (openCents: number, discountCents: number, also: Also) => number

const record = async (world: World, dice: Dice, much: HowMuch, others = false) => {
  const one = pickRecent(dice, world.invoices)
  if (!one) return null
  const { balanceCents, cashDiscount, alsoOpen } = await world.api.ok(invoicesApi.get, { params: { id: one.id } })
  const amountCents = much(balanceCents, cashDiscount?.cents ?? 0, alsoOpen)
  if (amountCents <= 0) return null
  const tipCents = dice(6) === 0 ? dice(Math.min(500, amountCents)) : 0
  const body = {
    method: pick(dice, methods) ?? 'check',
    amountCents,
    tipCents,
    others,
    // days ago, in a month that may be closed by now
    receivedOn: world.closed && dice(2) === 0 ? world.closed.through : addDays(world.day, -dice(4) * dice(12)),
    ...(world.closed && dice(4) === 0 ? { exceptionReason: 'The check was in a drawer' } : {}),
  }
  const done = await press(world, dice, paymentsApi.recordPayment, { params: { id: one.id }, body })
  if (!done) return null
  // what the owner booked into a closed month, with a reason, is the one thing that changes it
  if (world.closed && body.receivedOn <= world.closed.through) {
    if (!('exceptionReason' in body)) throw new Error(`Booked on ${body.receivedOn}, in a closed month.`)
    world.closed = null
  }
  world.byHand.push({
    paymentId: done.id,
    customerId: one.customerId,
    cents: amountCents,
    backCents: 0,
    reversed: false,
  })
  return `${body.method} of ${amountCents} (tip ${tipCents}) on ${body.receivedOn}`
}

const payPart: Deed = (world, dice) => record(world, dice, (openCents) => 1 + dice(Math.max(1, openCents)))
const payAll: Deed = (world, dice) => record(world, dice, (openCents) => openCents)
const payLess: Deed = (world, dice) => record(world, dice, (openCents, discountCents) => openCents - discountCents)
const payMore: Deed = (world, dice) => record(world, dice, (openCents) => openCents + 1 + dice(5000))

/** One check for several invoices: all of them less their discount, some of them, or more than they come to. */
const payMany: Deed = (world, dice) =>
  record(
    world,
    dice,
    (openCents, discountCents, also) => {
      if (!also) return 0
      return dice(2) === 0
        ? openCents + also.cents - discountCents - also.discountCents
        : openCents + 1 + dice(also.cents + 2000)
    },
    true,
  )

/** A payment was recorded by mistake, or a credit. */
const takeBack: Deed = async (world, dice) => {
  const payments = await world.own.db((db) =>
    db
      .selectFrom('payments')
      .select(['id', 'amountCents', 'method'])
      .where('businessId', '=', world.own.id)
      .where('provider', '=', 'manual')
      .where('status', '=', 'succeeded')
      .orderBy('id')
      .execute(),
  )
  const one = pickRecent(dice, payments)
  if (!one) return null
  const body = { reason: 'Recorded by mistake' }
  const done = await press(world, dice, correctionsApi.reversePayment, { params: { id: one.id }, body })
  if (!done) return null
  for (const paid of world.byHand) if (paid.paymentId === one.id) paid.reversed = true
  return `took back ${one.method} of ${one.amountCents}`
}

/** Money lies on an invoice that it is not for: it is the customer's credit again. */
const takeOff: Deed = async (world, dice) => {
  const parts = await world.own.db((db) =>
    db
      .selectFrom('paymentAllocations')
      .select(['paymentId', 'invoiceId', 'amountCents'])
      .where('businessId', '=', world.own.id)
      .orderBy('id')
      .execute(),
  )
  const one = pickRecent(dice, parts)
  if (!one) return null
  const body = { invoiceId: one.invoiceId, reason: 'Meant for another one' }
  const done = await press(world, dice, correctionsApi.takeOff, { params: { id: one.paymentId }, body })
  return done ? `took ${one.amountCents} off an invoice` : null
}

/** Money goes back: to the card through its provider, or from hand to hand; owed again or credited. */
const refund: Deed = async (world, dice) => {
  const payments = await world.own.db((db) =>
    db
      .selectFrom('payments')
      .select(['id', 'amountCents', 'refundedCents', 'provider', 'receivedOn'])
      .where('businessId', '=', world.own.id)
      .where('status', '=', 'succeeded')
      .orderBy('id')
      .execute(),
  )
  const one = pickRecent(dice, payments)
  if (!one) return null
  const leftCents = Number(one.amountCents) - Number(one.refundedCents)
  const amountCents = dice(3) === 0 ? leftCents : 1 + dice(Math.max(1, leftCents))
  if (amountCents <= 0) return null
  const isCard = one.provider !== 'manual' && dice(4) > 0
  const body = {
    amountCents,
    method: isCard ? ('provider' as const) : ('cash' as const),
    onDay: world.day,
    reason: 'Not mowed',
    creditInvoices: dice(2) === 0,
    ...(dice(3) === 0 ? { invoiceId: pickRecent(dice, world.invoices)?.id ?? one.id } : {}),
  }
  const before = await backByHand(world)
  const done = await press(world, dice, correctionsApi.refundPayment, { params: { id: one.id }, body })
  const moved = (await backByHand(world)) - before
  if (moved !== (done && !isCard ? amountCents : 0)) throw new Error(`A refund of ${amountCents} moved ${moved}.`)
  if (!done) return null
  return `${isCard ? 'card' : 'cash'} refund of ${amountCents}${body.creditInvoices ? ', credited' : ''}`
}

const backByHand = (world: World): Promise<number> =>
  world.own.db(async (db) => {
    const rows = await db
      .selectFrom('refunds')
      .select('amountCents')
      .where('businessId', '=', world.own.id)
      .where('byProvider', '=', false)
      .where('status', '=', 'succeeded')
      .execute()
    return rows.reduce((sum, { amountCents }) => sum + Number(amountCents), 0)
  })

/** A refund that was handed to nobody is taken back; one that the provider gave is not. */
const takeRefundBack: Deed = async (world, dice) => {
  const refunds = await world.own.db((db) =>
    db
      .selectFrom('refunds')
      .select(['id', 'amountCents', 'byProvider', 'status'])
      .where('businessId', '=', world.own.id)
      .orderBy('id')
      .execute(),
  )
  const one = pickRecent(dice, refunds)
  if (!one) return null
  const before = await backByHand(world)
  const body = { reason: 'Booked by mistake' }
  const done = await press(world, dice, correctionsApi.takeRefundBack, { params: { id: one.id }, body })
  const may = !one.byProvider && one.status === 'succeeded'
  if (Boolean(done) !== may) throw new Error(`A refund ${one.status} was ${done ? '' : 'not '}taken back.`)
  const moved = before - (await backByHand(world))
  if (moved !== (done ? Number(one.amountCents) : 0)) throw new Error(`Taking a refund back moved ${moved}.`)
  return done ? `took back a refund of ${one.amountCents}` : null
}

export const checks = { payPart, payAll, payLess, payMore, payMany, takeBack, takeOff, refund, takeRefundBack }
