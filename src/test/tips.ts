import { businessesApi } from '../features/businesses/contract.ts'
import { noTips, type Tips } from '../features/businesses/tips/rules.ts'
import { invoicesApi } from '../features/invoices/contract.ts'
import { paymentsApi } from '../features/payments/contract.ts'
import { runTasks, stranger } from './api.ts'
import { office, payPage } from './cards.ts'
import { aBusiness, type TestBusiness } from './factories.ts'
import { aCrew, aVisit } from './field.ts'

/** Tips that customers give when they pay, and the crew that they are for. */

export const setTips = async (own: TestBusiness, kind: Tips['kind']): Promise<void> => {
  const api = await office(own)
  const { version } = await api.ok(businessesApi.get, {})
  const { percents, amountsCents } = noTips
  await api.ok(businessesApi.update, {
    body: { tips: { kind, percents, amountsCents }, version },
  })
}

/** A finished visit of a crew of two and its invoice over $50.00. */
export const aTippedOf = async (own: TestBusiness) => {
  const members = [await own.employee({ name: 'Rosa Diaz' }), await own.employee({ name: 'Sam Reed' })]
  const crewId = await aCrew(own, { members })
  const { customerId } = await aVisit(own, { status: 'completed', priceCents: 5000, crewId })
  await own.db((db) =>
    db.updateTable('customers').set({ email: 'ann@test.swath.test' }).where('id', '=', customerId).execute(),
  )
  await own.api.ok(invoicesApi.createBatch, { body: { send: true } })
  await runTasks()
  const { items } = await own.api.ok(invoicesApi.list, { query: { customerId } })
  const id = items[0]?.id ?? ''
  const publicPath = (await own.api.ok(invoicesApi.get, { params: { id } })).publicPath ?? ''
  return { own, id, publicPath, token: publicPath.split('/').at(-1) ?? '', customerId, members }
}
export type Tipped = Awaited<ReturnType<typeof aTippedOf>>

/** The same of a new business that takes tips. */
export const aTipped = async (): Promise<Tipped> => {
  const own = await aBusiness()
  await setTips(own, 'percent')
  return aTippedOf(own)
}

/** Opens the payment page of an invoice with a tip. */
export const openWithTip = async (token: string, tipCents: number): Promise<string> =>
  (await stranger.ok(paymentsApi.payWithTip, { params: { token }, body: { tipCents } })).url

export const payWithTip = async (token: string, tipCents: number): Promise<void> => {
  await payPage(await openWithTip(token, tipCents))
  await runTasks()
}

/** The movements of the ledger, in order. */
export const movements = (own: TestBusiness): Promise<string[]> =>
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
