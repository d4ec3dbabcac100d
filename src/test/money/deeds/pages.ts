import { cardsApi } from '../../../features/payments/cards/contract.ts'
import { paymentsApi } from '../../../features/payments/contract.ts'
import { localPaymentsApi } from '../../../local/payments/contract.ts'
import { stranger } from '../../api.ts'
import { accounts } from '../../bank.ts'
import { cards } from '../../cards.ts'
import { type Dice, pick, pickRecent } from '../dice.ts'
import { asCustomer, type Deed, type Issued, type World } from '../world.ts'

// What customers do on their pages. What the provider tells of it waits until a deed brings it.

const sessionOf = (url: string): string => url.split('/').at(-1) ?? ''

type Page = { url: string; bankOnly?: boolean }
type Opens = (one: Issued, dice: Dice) => Promise<Page | null>

const plain: Opens = ({ token }) => asCustomer(paymentsApi.pay, { params: { token } })
const withFees: Opens = ({ token }) => asCustomer(paymentsApi.payAll, { params: { token } })
const withTip: Opens = ({ token }, dice) =>
  asCustomer(paymentsApi.payWithTip, {
    params: { token },
    body: { tipCents: 1 + dice(900), withFees: dice(4) === 0 },
  })
const byBank: Opens = async ({ token }, dice) => {
  const page = await asCustomer(paymentsApi.payByBank, {
    params: { token },
    body: { tipCents: dice(3) === 0 ? 1 + dice(900) : 0, withFees: dice(3) === 0 },
  })
  return page && { ...page, bankOnly: true }
}
const saving: Opens = async ({ token }) => {
  const { mandate } = await stranger.ok(paymentsApi.publicInvoice, { params: { token } })
  return asCustomer(cardsApi.payAndSave, { params: { token }, body: { mandate: mandate.text } })
}

/** Types a card or a bank account in. @returns what came of it */
const payOn = async (page: Page, dice: Dice): Promise<string> => {
  const params = { sessionId: sessionOf(page.url) }
  const { bankAccounts, savesCard } = await stranger.ok(localPaymentsApi.checkout, { params })
  const isBank = page.bankOnly || (bankAccounts.length > 0 && dice(2) === 0)
  const account = pick(dice, [accounts.good, accounts.good, accounts.poor, accounts.takenBack]) ?? accounts.good
  const body = isBank ? { bankAccount: account } : { cardNumber: savesCard && dice(3) === 0 ? cards.poor : cards.good }
  const tabs = await Promise.all(
    Array.from({ length: 1 + dice(2) }, () => stranger.call(localPaymentsApi.pay, { params, body })),
  )
  return `${isBank ? `bank ${account}` : 'card'}: ${tabs.map((tab) => tab.body.result ?? tab.status).join(', ')}`
}

/** The customer comes back to the page of the invoice, which asks the provider; or closes the tab. */
const comeBack = async (one: Issued, dice: Dice): Promise<void> => {
  if (dice(3) === 0) await asCustomer(paymentsApi.sync, { params: { token: one.token } })
}

const paying =
  (opens: Opens): Deed =>
  async (world, dice) => {
    const one = pickRecent(dice, world.invoices)
    const page = one && (await opens(one, dice))
    if (!page) return null
    const paid = await payOn(page, dice)
    await comeBack(one, dice)
    return paid
  }

/** A page that stays open: what the office does under it, and what is typed into it later. */
const left = new WeakMap<World, Page[]>()
const leaveOpen: Deed = async (world, dice) => {
  const one = pickRecent(dice, world.invoices)
  const page = one && (await (pick(dice, [plain, byBank, withTip]) ?? plain)(one, dice))
  if (!page) return null
  left.set(world, [...(left.get(world) ?? []), page])
  return 'a page stays open'
}
const goOn: Deed = async (world, dice) => {
  const page = pick(dice, left.get(world) ?? [])
  return page ? payOn(page, dice) : null
}

/** Several invoices checked on the customer's statement, in one payment. */
const several: Deed = async (world, dice) => {
  const customer = world.customers.find(({ id }) => id === pickRecent(dice, world.invoices)?.customerId)
  if (!customer) return null
  const seen = await stranger.raw({ method: 'GET', url: customer.page })
  const boxes = [...seen.text.matchAll(/name="(inv-\d+)"/g)].flatMap(([, name]) => (name && dice(4) > 0 ? [name] : []))
  if (boxes.length === 0) return null
  const answer = await stranger.raw({
    method: 'POST',
    url: `${customer.page}/pay`,
    payload: new URLSearchParams(boxes.map((name): [string, string] => [name, 'on'])).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  if (answer.status >= 500) throw new Error(`The statement answered ${answer.status}.`)
  const url = /url=(\/local\/checkout\/[\w]+)/.exec(answer.text)?.[1]
  if (!url) return null
  const paid = await payOn({ url }, dice)
  if (dice(3) === 0) await stranger.raw({ method: 'GET', url: `${customer.page}?paid=0` })
  return `${boxes.length} together, ${paid}`
}

/** The customer wants no charges by themselves any more. */
const stopAutopay: Deed = async (world, dice) => {
  const one = pickRecent(dice, world.invoices)
  const done = one && (await asCustomer(cardsApi.stopAutopay, { params: { token: one.token } }))
  return done ? 'autopay off' : null
}

export const pages = {
  payPage: paying(plain),
  payFees: paying(withFees),
  payTip: paying(withTip),
  payByBank: paying(byBank),
  leaveCard: paying(saving),
  leaveOpen,
  goOn,
  several,
  stopAutopay,
}
