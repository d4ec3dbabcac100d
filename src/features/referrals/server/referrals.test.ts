import { beforeEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { newId } from '../../../platform/ids.ts'
import { runTasks, stranger } from '../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../test/factories.ts'
import { today } from '../../../test/field.ts'
import { customersApi } from '../../customers/contract.ts'
import { invoicesApi } from '../../invoices/contract.ts'
import { businessLeadsApi as leadsApi } from '../../leads/contract.ts'
import { leadRequestApi, leadSettingsApi } from '../../leads/requests/contract.ts'
import { messagesApi } from '../../messages/contract.ts'
import { paymentsApi } from '../../payments/contract.ts'
import { correctionsApi } from '../../payments/corrections/contract.ts'
import { compareBooks } from '../../payments/corrections/server/queries.ts'
import { referralsApi } from '../contract.ts'
import { rewardReferral } from './commands.ts'

let business: TestBusiness
let rosaId: string
let friendId: string

const issued = async (customerId: string, cents: number) => {
  const lines = [{ description: 'Mowing', quantity: 1, unitPriceCents: cents }]
  const { id } = await business.api.ok(invoicesApi.create, { body: { customerId, lines } })
  await business.api.ok(invoicesApi.issue, { params: { id } })
  return id
}
const pay = async (id: string, amountCents: number) => {
  await business.api.ok(paymentsApi.recordPayment, {
    params: { id },
    body: { method: 'check', amountCents, receivedOn: today() },
  })
  await runTasks()
}
const creditOf = async (id: string) =>
  (await business.api.ok(correctionsApi.listCredits, { params: { id } })).creditCents
const referrals = () => business.api.ok(referralsApi.get, { params: { id: rosaId } })
const set = async (change: object) => {
  const { version } = await business.api.ok(leadSettingsApi.get, {})
  return business.api.ok(leadSettingsApi.save, { body: { version, ...change } })
}

beforeEach(async () => {
  business = await aBusiness({ name: 'Marsh Side Lawns' })
  const { slug } = await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ quietEndMinute: 0, quietStartMinute: 1440, publicPage: true })
      .where('businessId', '=', business.id)
      .returning('slug')
      .executeTakeFirstOrThrow(),
  )
  await set({ referralOn: true, referralGiverCents: 2500, referralFriendCents: 1000 })
  rosaId = (await business.api.ok(customersApi.create, { body: { name: 'Rosa', email: 'rosa@example.com' } })).id
  expect((await referrals()).code).toBeNull()
  await business.api.ok(referralsApi.give, { params: { id: rosaId } })
  const { code, link } = await referrals()
  expect(link).toContain(`/profile/${slug}?ref=${code}`)
  await stranger.ok(leadRequestApi.ask, {
    params: { slug },
    body: { key: newId(), name: 'Maya Brooks', phone: '912-555-0147', ref: code ?? '' } as never,
  })
  const [lead] = (await business.api.ok(leadsApi.list, { query: {} })).items
  expect(lead?.source).toBe('referral')
  expect((await referrals()).items).toMatchObject([{ name: 'Maya Brooks', state: 'asked', rewardCents: null }])
  const made = await business.api.ok(leadsApi.convert, {
    params: { id: lead?.id ?? '' },
    body: { version: lead?.version ?? 0, property: null },
  })
  friendId = made.customer?.id ?? ''
})

describe('a referral', () => {
  it('is rewarded on the first paid invoice, as credit for both, once, and told to who sent them', async () => {
    expect((await referrals()).items).toMatchObject([{ state: 'customer' }])
    const first = await issued(friendId, 5000)
    await pay(first, 2000)
    expect(await creditOf(rosaId)).toBe(0)
    await pay(first, 3000)
    expect([await creditOf(rosaId), await creditOf(friendId)]).toEqual([2500, 1000])
    await rewardReferral(systemActor(business.id), { invoiceId: first, by: 'money' })
    await pay(await issued(friendId, 4000), 4000)
    expect([await creditOf(rosaId), await creditOf(friendId)]).toEqual([2500, 1000])
    expect((await referrals()).items).toMatchObject([{ state: 'rewarded', rewardCents: 2500 }])
    expect((await referrals()).items).toHaveLength(1)
    const mails = (await business.api.ok(messagesApi.list, { query: { channel: 'email' } })).items
    expect(mails.filter(({ address }) => address === 'rosa@example.com').map(({ subject }) => subject)).toEqual([
      'Marsh Side Lawns: $25.00 credit for you',
    ])
    expect(await business.db((db) => compareBooks(db))).toEqual([])
  })

  it('is not earned by what was credited away, and stays when its invoice is opened again', async () => {
    const gone = await issued(friendId, 5000)
    await business.api.ok(correctionsApi.creditInvoice, {
      params: { id: gone },
      body: { amountCents: 5000, reason: 'A bad start' },
    })
    await runTasks()
    expect(await creditOf(rosaId)).toBe(0)
    const paid = await issued(friendId, 4000)
    await pay(paid, 4000)
    expect(await creditOf(rosaId)).toBe(2500)
    const { payments } = await business.api.ok(invoicesApi.get, { params: { id: paid } })
    await business.api.ok(correctionsApi.reversePayment, {
      params: { id: payments[0]?.id ?? '' },
      body: { reason: 'The check bounced' },
    })
    expect(await creditOf(rosaId)).toBe(2500)
    expect((await referrals()).items).toMatchObject([{ state: 'reopened', rewardCents: 2500 }])
    await pay(paid, 4000)
    expect(await creditOf(rosaId)).toBe(2500)
  })

  it('has one code, however often it is asked for', async () => {
    const again = await business.api.ok(referralsApi.give, { params: { id: rosaId } })
    expect(again.code).toBe((await referrals()).code)
    expect(again.code).toMatch(/^[A-Z0-9]{6}$/)
    expect((await business.api.call(referralsApi.give, { params: { id: newId() } })).status).toBe(404)
  })

  it('earns nothing while rewards are off', async () => {
    await set({ referralOn: false })
    await pay(await issued(friendId, 5000), 5000)
    expect(await creditOf(rosaId)).toBe(0)
  })
})
