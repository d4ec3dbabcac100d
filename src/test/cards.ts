import { invoicesApi } from '../features/invoices/contract.ts'
import { messagesApi } from '../features/messages/contract.ts'
import { cardsApi } from '../features/payments/cards/contract.ts'
import { runAutopay } from '../features/payments/cards/server/tasks.ts'
import { paymentsApi } from '../features/payments/contract.ts'
import { localPaymentsApi } from '../local/payments/contract.ts'
import { signEvent } from '../local/payments/events.ts'
import { arriveLocalPayout, failLocalPayout, payOutLocally } from '../local/payments/payouts.ts'
import { systemActor } from '../platform/actor.ts'
import { clock, setClock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import { addDays, type Day, dayOf, instantAt } from '../shared/dates.ts'
import { apiFor, runTasks, stranger } from './api.ts'
import { aBusiness, type TestBusiness } from './factories.ts'
import { aLawn } from './field.ts'

/** Cards that customers leave, charges of them and the days on which they fall, for tests of autopay and of payment pages. */

const zone = 'America/New_York'
/** Cards of the test provider: one that is good, one with too little money when it is charged later, one that expired by then. */
export const cards = { good: '4242 4242 4242 4242', poor: '4000 0000 0000 0341', gone: '4000 0000 0000 0069' }

/** A clock that stands on a morning of the businesses and goes by days from there. Sign in anew after each step (`office`). */
export const aCardClock = () => {
  let start: Day = ''
  const onDay = (ahead: number, minute = 600): void =>
    setClock(() => new Date(instantAt(addDays(start, ahead), minute, zone)))
  return {
    begin: (): void => {
      start = dayOf(clock.now(), zone)
      onDay(0)
    },
    onDay,
    day: (ahead = 0): Day => addDays(start, ahead),
  }
}

/** The owner, signed in now. */
export const office = (own: TestBusiness) => apiFor(own.owner)

export const accountOf = (own: TestBusiness): Promise<string> =>
  own.db(async (db) => {
    const account = db.selectFrom('paymentAccounts').select('accountId').where('businessId', '=', own.id)
    return (await account.where('removedAt', 'is', null).executeTakeFirstOrThrow()).accountId
  })

export const aCustomer = async (own: TestBusiness, email: string | null = 'ann@test.swath.test'): Promise<string> => {
  const { customerId } = await aLawn(own)
  await own.db((db) =>
    db.updateTable('customers').set({ email }).where('businessId', '=', own.id).where('id', '=', customerId).execute(),
  )
  return customerId
}

/** A sent invoice with the token of its page. */
export const anInvoice = async (own: TestBusiness, customerId: string, termsDays = 10, unitPriceCents = 5000) => {
  const api = await office(own)
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents }]
  const { id } = await api.ok(invoicesApi.create, { body: { customerId, termsDays, lines } })
  await api.ok(invoicesApi.send, { params: { id } })
  await runTasks()
  const { publicPath } = await api.ok(invoicesApi.get, { params: { id } })
  return { id, token: (publicPath ?? '').split('/').at(-1) ?? '' }
}

/** An invoice that is due at once and was mailed to nobody. */
export const anIssuedInvoice = async (own: TestBusiness, customerId: string, unitPriceCents: number) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents }]
  const { id, number } = await own.api.ok(invoicesApi.create, { body: { customerId, termsDays: 0, lines } })
  await own.api.ok(invoicesApi.issue, { params: { id } })
  const { publicPath } = await own.api.ok(invoicesApi.get, { params: { id } })
  return { id, number, token: (publicPath ?? '').split('/').at(-1) ?? '' }
}

/** Opens the payment page of an invoice. */
export const openPage = async (token: string): Promise<string> =>
  (await stranger.ok(paymentsApi.pay, { params: { token } })).url

export const payPage = (url: string, cardNumber = cards.good) =>
  stranger.call(localPaymentsApi.pay, { params: { sessionId: url.split('/').at(-1) ?? '' }, body: { cardNumber } })

/** Opens the payment page of an invoice, with what stands there about keeping the card agreed to. */
export const openSaving = async (token: string): Promise<string> => {
  const { mandate } = await stranger.ok(paymentsApi.publicInvoice, { params: { token } })
  const body = { mandate: mandate.text }
  return (await stranger.ok(cardsApi.payAndSave, { params: { token }, body })).url
}

/** Pays an invoice on its page and leaves the card. */
export const leaveCard = async (token: string, cardNumber = cards.good): Promise<void> => {
  const url = await openSaving(token)
  const answer = await payPage(url, cardNumber)
  if (answer.body.result !== 'paid') throw new Error(`The card was not taken: ${answer.text}`)
  await runTasks()
  const { autopay } = await stranger.ok(paymentsApi.publicInvoice, { params: { token } })
  if (!autopay) throw new Error('The invoice was paid, and word of the card has not come.')
}

/** A customer who pays the first invoice with a card and leaves it, and a second invoice. */
export const withCard = async (cardNumber = cards.good) => {
  const own = await aBusiness()
  const customerId = await aCustomer(own)
  const first = await anInvoice(own, customerId)
  await leaveCard(first.token, cardNumber)
  return { own, customerId, first, ...(await anInvoice(own, customerId)) }
}

/** The hourly run for a business, and what it causes. */
export const runCards = async (own: TestBusiness): Promise<void> => {
  await runAutopay(systemActor(own.id))
  await runTasks()
}

export const invoiceOf = async (own: TestBusiness, id: string) =>
  (await office(own)).ok(invoicesApi.get, { params: { id } })
export const cardOf = async (own: TestBusiness, customerId: string) =>
  (await (await office(own)).ok(cardsApi.getCard, { params: { id: customerId } })).card
/** Subjects of all mails of a business. */
export const subjects = async (own: TestBusiness): Promise<string[]> =>
  (await (await office(own)).ok(messagesApi.list, { query: { channel: 'email' } })).items.map(
    ({ subject }) => subject ?? '',
  )
/** The tries of a business to charge a card. */
export const tries = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('checkoutSessions')
      .select(['status', 'tryNumber'])
      .where('businessId', '=', own.id)
      .where('kind', '=', 'autopay')
      .orderBy('tryNumber')
      .execute(),
  )
/** Provider's ids of the card payments of a business. */
export const bookedIds = (own: TestBusiness): Promise<string[]> =>
  own.db(async (db) => {
    const rows = await db.selectFrom('payments').select('providerPaymentId').where('businessId', '=', own.id).execute()
    return rows.flatMap(({ providerPaymentId }) => providerPaymentId ?? [])
  })

/** As if the process died in a try: its row stands, and nothing is booked. @returns what the provider is asked with, and the card's account */
export const aTryCutOff = async (own: TestBusiness, invoiceId: string) => {
  const method = await own.db((db) =>
    db
      .selectFrom('paymentMethods')
      .selectAll()
      .where('businessId', '=', own.id)
      .where('removedAt', 'is', null)
      .executeTakeFirstOrThrow(),
  )
  const attemptId = newId()
  await own.db((db) =>
    db
      .insertInto('checkoutSessions')
      .values({
        businessId: own.id,
        id: attemptId,
        invoiceId,
        kind: 'autopay',
        methodId: method.id,
        tryNumber: 1,
        amountCents: 5000,
        provider: 'local',
        accountId: method.accountId,
        expiresAt: new Date(clock.nowMs() + 3_600_000).toISOString(),
        createdAt: clock.iso(),
        updatedAt: clock.iso(),
      })
      .execute(),
  )
  const request = {
    customerId: method.providerCustomerId,
    methodId: method.providerMethodId,
    kind: method.kind,
    amountCents: 5000,
    description: '',
    mark: { businessId: own.id, invoiceId, checkoutSessionId: attemptId },
    requestKey: `autopay:${attemptId}`,
  }
  return { request, account: method.accountId }
}

/** What moved on the account is paid out and stays on its way, arrives, or comes back, at once or after it had arrived. */
export const payOutAtRandom = async (own: TestBusiness, random: (below: number) => number): Promise<void> => {
  const account = await accountOf(own)
  const id = await payOutLocally(account)
  if (!id) return
  if (random(3) > 0) await arriveLocalPayout(account, id)
  if (random(3) === 0) await failLocalPayout(account, id)
}

/** A signed event of the local provider reaches the webhook. @returns the status of the answer */
export const tellOf = async (type: string, object: { id: string }, account: string | null): Promise<number> => {
  const payload = JSON.stringify({
    id: `evt_${newId()}`,
    object: 'event',
    ...(account ? { account } : {}),
    type,
    data: { object },
  })
  const headers = { 'content-type': 'application/json', 'stripe-signature': await signEvent(payload) }
  const { status } = await stranger.raw({ method: 'POST', url: '/api/webhooks/stripe', headers, payload })
  await runTasks()
  return status
}
