import { afterEach, expect, it } from 'vitest'
import { stepLocalAccount } from '../../../../local/payments/accounts.ts'
import { refundInDashboard } from '../../../../local/payments/checkout.ts'
import { systemActor } from '../../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { apiFor, runTasks } from '../../../../test/api.ts'
import { aCustomer, accountOf, anInvoice, invoiceOf, openPage, payPage } from '../../../../test/cards.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { today } from '../../../../test/field.ts'
import { invoicesApi } from '../../../invoices/contract.ts'
import { correctionsApi } from '../contract.ts'
import { compareBooks } from './queries.ts'
import { processRefundEvent, sweepRefunds } from './tasks.ts'

/** Money that went back where the books did not look for it: before it was booked, over a write-off, after the account was shut. */

afterEach(() => resetClock())

const told = (account: string, id: string) =>
  processRefundEvent({
    provider: 'stripe',
    account,
    eventId: `evt_${id}`,
    type: 'refund.created',
    payload: { data: { object: { id } } },
  })
const intentOf = async (url: string): Promise<string> =>
  (
    await database()
      .selectFrom('localCheckoutSessions')
      .select('paymentIntent')
      .where('id', '=', url.split('/').at(-1) ?? '')
      .executeTakeFirstOrThrow()
  ).paymentIntent ?? ''
const refunds = (own: TestBusiness) =>
  own.db((db) => db.selectFrom('refunds').select(['status', 'amountCents']).where('businessId', '=', own.id).execute())

it('a refund in the provider’s dashboard that is told before its payment books both, each once', async () => {
  const own = await aBusiness()
  const { id, token } = await anInvoice(own, await aCustomer(own))
  const url = await openPage(token)
  await payPage(url)
  const account = await accountOf(own)
  const elsewhere = await refundInDashboard(await intentOf(url), 5000, account)
  expect((await invoiceOf(own, id)).payments).toEqual([])
  await told(account, elsewhere.id)
  const both = async () => {
    const rows = await own.db((db) =>
      db
        .selectFrom('payments')
        .select(['amountCents', 'refundedCents'])
        .where('businessId', '=', own.id)
        .where('method', '=', 'card')
        .execute(),
    )
    expect(rows).toMatchObject([{ amountCents: 5000, refundedCents: 5000 }])
    expect(await refunds(own)).toMatchObject([{ status: 'succeeded', amountCents: 5000 }])
    expect(await own.db(compareBooks)).toEqual([])
  }
  await both()
  await runTasks()
  await told(account, elsewhere.id)
  await both()
})

it('a refund in the dashboard of what lies on a written off invoice is booked, and what stays open is written off as before', async () => {
  const own = await aBusiness()
  const { id, token } = await anInvoice(own, await aCustomer(own))
  const url = await openPage(token)
  await payPage(url)
  await runTasks()
  const api = await apiFor(own.owner)
  // a part of it went back at once, the rest was let go
  await api.ok(correctionsApi.refundPayment, {
    params: { id: (await invoiceOf(own, id)).payments[0]?.id ?? '' },
    body: { amountCents: 2000, method: 'card', onDay: today(), reason: 'Rain' },
  })
  await runTasks()
  await api.ok(invoicesApi.writeOff, { params: { id }, body: { reason: 'Moved away' } })
  const elsewhere = await refundInDashboard(await intentOf(url), 3000, await accountOf(own))
  await told(await accountOf(own), elsewhere.id)
  expect((await refunds(own)).map(({ amountCents }) => Number(amountCents)).sort()).toEqual([2000, 3000])
  expect(await invoiceOf(own, id)).toMatchObject({ status: 'written_off' })
  const standing = await own.db((db) =>
    db
      .selectFrom('writeOffs')
      .select(['amountCents', 'reason'])
      .where('businessId', '=', own.id)
      .where('takenBackOn', 'is', null)
      .execute(),
  )
  expect(standing).toMatchObject([{ amountCents: 2000, reason: 'Moved away' }])
  expect(await own.db(compareBooks)).toEqual([])
})

it('a refund that nobody can answer for any more, because the account is shut, ends after a day and is told', async () => {
  const own = await aBusiness()
  const { id, token } = await anInvoice(own, await aCustomer(own))
  await payPage(await openPage(token))
  await runTasks()
  const api = await apiFor(own.owner)
  await api.ok(correctionsApi.refundPayment, {
    params: { id: (await invoiceOf(own, id)).payments[0]?.id ?? '' },
    body: { amountCents: 2000, method: 'card', onDay: today(), reason: 'Rain' },
  })
  await stepLocalAccount(await accountOf(own), 'remove')
  const later = clock.nowMs() + 30 * 3_600_000
  setClock(() => new Date(later))
  await sweepRefunds(systemActor(own.id))
  expect(await refunds(own)).toMatchObject([{ status: 'failed' }])
  expect(await own.db(compareBooks)).toEqual([])
})
