import { invoicesApi } from '../../../features/invoices/contract.ts'
import { correctionsApi } from '../../../features/payments/corrections/contract.ts'
import { creditsApi } from '../../../features/payments/credits/contract.ts'
import { type Dice, pick, pickRecent } from '../dice.ts'
import { type Deed, press, treated, type World } from '../world.ts'

// What the office asks for, and what it lets go of.

const reason = 'Agreed'

/** An issued invoice of work of one or two kinds of tax, some with a discount. */
const issueFor = async (world: World, dice: Dice, customerId: string): Promise<string | null> => {
  const line = (description: string, taxCategory: string) => ({
    description,
    quantity: 1 + dice(3),
    unitPriceCents: 900 + dice(9000),
    taxCategory,
  })
  const lines = [line('Mowing', 'lawn'), ...(dice(2) ? [line('Weed control', treated)] : [])]
  const netCents = lines.reduce((sum, { quantity, unitPriceCents }) => sum + quantity * unitPriceCents, 0)
  const discountCents = dice(3) === 0 ? dice(Math.floor(netCents / 2)) : 0
  const body = { customerId, termsDays: dice(3) * 5, discountCents, lines }
  const draft = await press(world, dice, invoicesApi.create, { body })
  if (!draft) return null
  const issued = await press(world, dice, invoicesApi.issue, { params: { id: draft.id } })
  if (!issued) return null
  world.invoices.push({ id: issued.id, customerId, token: (issued.publicPath ?? '').split('/').at(-1) ?? '' })
  return `INV-${issued.number} over ${issued.totalCents} (tax ${issued.taxCents})`
}

const issue: Deed = async (world, dice) => issueFor(world, dice, pick(dice, world.customers)?.id ?? '')

/** One more for who has an invoice, so that several are paid together. */
const issueAgain: Deed = async (world, dice) =>
  issueFor(world, dice, world.invoices.at(-1)?.customerId ?? world.customers[0]?.id ?? '')

const invoicesWith = ({ own }: World, status: 'issued' | 'partially_paid' | 'written_off') =>
  own.db((db) =>
    db
      .selectFrom('invoices')
      .select('id')
      .where('businessId', '=', own.id)
      .where('status', '=', status)
      .orderBy('number')
      .execute(),
  )

const creditNote: Deed = async (world, dice) => {
  const one = pickRecent(dice, world.invoices)
  if (!one) return null
  const { totalCents } = await world.api.ok(invoicesApi.get, { params: { id: one.id } })
  const amountCents = dice(3) === 0 ? totalCents : 1 + dice(Math.max(1, totalCents))
  const body = { amountCents, reason }
  const done = await press(world, dice, correctionsApi.creditInvoice, { params: { id: one.id }, body })
  return done && `credited ${amountCents}`
}

const giveCredit: Deed = async (world, dice) => {
  const id = pick(dice, world.customers)?.id ?? ''
  const amountCents = 1 + dice(6000)
  const done = await press(world, dice, correctionsApi.giveCredit, { params: { id }, body: { amountCents, reason } })
  return done && `credit of ${amountCents}`
}

const useCredit: Deed = async (world, dice) => {
  const open = (await invoicesWith(world, 'issued')).concat(await invoicesWith(world, 'partially_paid'))
  const one = pick(dice, open)
  if (!one) return null
  const { creditCents, balanceCents } = await world.api.ok(invoicesApi.get, { params: { id: one.id } })
  const most = Math.min(creditCents, balanceCents)
  const amountCents = dice(4) === 0 ? creditCents + 1 : dice(2) === 0 ? most : 1 + dice(Math.max(1, most))
  if (amountCents < 1) return null
  const done = await press(world, dice, correctionsApi.useCredit, { params: { id: one.id }, body: { amountCents } })
  return done && `put ${amountCents} of credit on it`
}

const voidIt: Deed = async (world, dice) => {
  const one = pickRecent(dice, world.invoices)
  const done = one && (await press(world, dice, invoicesApi.voidInvoice, { params: { id: one.id } }))
  return done ? `voided INV-${done.number}` : null
}

const writeOff: Deed = async (world, dice) => {
  const one = pickRecent(dice, world.invoices)
  const done = one && (await press(world, dice, invoicesApi.writeOff, { params: { id: one.id }, body: { reason } }))
  return done ? `wrote INV-${done.number} off` : null
}

const reinstate: Deed = async (world, dice) => {
  const one = pick(dice, await invoicesWith(world, 'written_off'))
  const done = one && (await press(world, dice, invoicesApi.reinstate, { params: { id: one.id } }))
  return done ? `INV-${done.number} is open again` : null
}

/** A late fee is let go. */
const waive: Deed = async (world, dice) => {
  const fees = await world.own.db((db) =>
    db
      .selectFrom('lateFees')
      .select('feeInvoiceId as id')
      .where('businessId', '=', world.own.id)
      .orderBy('onDay')
      .execute(),
  )
  const fee = pickRecent(dice, fees)
  const done = fee && (await press(world, dice, invoicesApi.waiveFee, { params: { id: fee.id }, body: { reason } }))
  return done ? `waived INV-${done.number}` : null
}

/** Money ahead of its invoice. */
const deposit: Deed = async (world, dice) => {
  const customerId = pick(dice, world.customers)?.id ?? ''
  const body = { method: 'check' as const, amountCents: 1 + dice(9000), receivedOn: world.day }
  const done = await press(world, dice, creditsApi.recordDeposit, { params: { id: customerId }, body })
  if (!done) return null
  world.byHand.push({ paymentId: done.paymentId, customerId, cents: body.amountCents, backCents: 0, reversed: false })
  return `deposit of ${body.amountCents}`
}

export const billing = {
  issue,
  issueAgain,
  creditNote,
  giveCredit,
  useCredit,
  voidIt,
  writeOff,
  reinstate,
  waive,
  deposit,
}
