import { businessesApi } from '../features/businesses/contract.ts'
import { invoicesApi } from '../features/invoices/contract.ts'
import { notificationsApi } from '../features/notifications/contract.ts'
import { cardsApi } from '../features/payments/cards/contract.ts'
import { paymentsApi } from '../features/payments/contract.ts'
import { compareBooks } from '../features/payments/corrections/server/queries.ts'
import { disputesApi } from '../features/payments/disputes/contract.ts'
import { localPaymentsApi } from '../local/payments/contract.ts'
import { openLocalDispute, stepLocalDispute } from '../local/payments/disputes.ts'
import { clock } from '../platform/clock.ts'
import { newId } from '../platform/ids.ts'
import { addDays, dayOf } from '../shared/dates.ts'
import { type Api, apiFor, runTasks, stranger } from './api.ts'
import { aBusiness, type TestBusiness } from './factories.ts'
import { aCrew, aVisit } from './field.ts'

/** A payment that its customer's bank questions, played by the local provider. */

export const zone = 'America/New_York'

const card = '4242 4242 4242 4242'
export const payPage = (url: string) =>
  stranger.ok(localPaymentsApi.pay, { params: { sessionId: url.split('/').at(-1) ?? '' }, body: { cardNumber: card } })
export const accountOf = (own: TestBusiness) =>
  own.db(async (db) => {
    const row = await db
      .selectFrom('paymentAccounts')
      .select('accountId')
      .where('businessId', '=', own.id)
      .executeTakeFirstOrThrow()
    return row.accountId
  })

/** A finished visit, its invoice over $55.00, paid by card and the card left. @param taxPercent of sales tax on top of it */
export const aPaid = async ({ saves = false, settle = true, taxPercent = 0 } = {}) => {
  const own = await aBusiness()
  const crewId = await aCrew(own, { name: 'North crew' })
  const visit = await aVisit(own, {
    status: 'completed',
    priceCents: 5500,
    crewId,
    day: addDays(dayOf(clock.now(), zone), -2),
  })
  const { customerId } = visit
  await own.db((db) =>
    db.updateTable('customers').set({ email: 'ann@test.swath.test' }).where('id', '=', customerId).execute(),
  )
  const api = await apiFor(own.owner)
  if (taxPercent > 0) {
    await api.ok(businessesApi.addTaxRate, {
      body: { name: 'Georgia', ratePercent: taxPercent, taxCategory: 'lawn', state: 'GA' },
    })
    await own.db((db) =>
      db.updateTable('services').set({ taxCategory: 'lawn' }).where('businessId', '=', own.id).execute(),
    )
  }
  await api.ok(invoicesApi.createBatch, { body: { send: true } })
  await runTasks()
  const [item] = (await api.ok(invoicesApi.list, { query: { customerId } })).items
  const id = item?.id ?? ''
  const token = ((await api.ok(invoicesApi.get, { params: { id } })).publicPath ?? '').split('/').at(-1) ?? ''
  const params = { token }
  const { url } = saves
    ? await stranger.ok(cardsApi.payAndSave, {
        params,
        body: { mandate: (await stranger.ok(paymentsApi.publicInvoice, { params })).mandate.text },
      })
    : await stranger.ok(paymentsApi.pay, { params })
  const account = await accountOf(own)
  await payPage(url)
  if (settle) await runTasks()
  const paymentId = async () =>
    (
      await own.db((db) =>
        db.selectFrom('payments').select(['id', 'providerPaymentId']).where('businessId', '=', own.id).execute(),
      )
    )[0]
  return { own, api, visit, customerId, id, token, account, paymentId, sessionId: url.split('/').at(-1) ?? '' }
}
export type Paid = Awaited<ReturnType<typeof aPaid>>
export const dispute = async (paid: Paid, wish: Partial<Parameters<typeof openLocalDispute>[2]> = {}) => {
  const payment = await paid.paymentId()
  const id = await openLocalDispute(paid.account, payment?.providerPaymentId ?? '', {
    kind: 'dispute',
    reason: 'product_not_received',
    ...wish,
  })
  await runTasks()
  return id ?? ''
}
export const step = async (id: string, one: 'escalate' | 'win' | 'lose') => {
  await stepLocalDispute(id, one)
  await runTasks()
}
export const invoiceOf = ({ api, id }: { api: Api; id: string }) => api.ok(invoicesApi.get, { params: { id } })
export const first = async (paid: Paid) => {
  const { items } = await paid.api.ok(disputesApi.list, { query: { invoiceId: paid.id } })
  return paid.api.ok(disputesApi.get, { params: { id: items[0]?.id ?? newId() } })
}
export const ledger = (own: TestBusiness) =>
  own.db(async (db) =>
    (
      await db
        .selectFrom('ledgerEntries')
        .select(['kind', 'amountCents'])
        .where('businessId', '=', own.id)
        .orderBy('createdAt')
        .orderBy('id')
        .execute()
    ).map(({ kind, amountCents }) => `${kind} ${amountCents}`),
  )
export const books = (own: TestBusiness) => own.db((db) => compareBooks(db))
export const titles = async (api: Api) =>
  (await api.ok(notificationsApi.list, {})).notifications.map(({ title }) => title)
