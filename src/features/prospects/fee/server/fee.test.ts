import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localPaymentsApi } from '../../../../local/payments/contract.ts'
import { clock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { database } from '../../../../platform/db/database.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { hmacToken } from '../../../../platform/keys.ts'
import { readStripeSettings, stripeNames } from '../../../../platform/payments/stripe-settings.ts'
import { runTasks, stranger, testServer } from '../../../../test/api.ts'
import { anApplicant, theOwner } from '../../../../test/funnel.ts'
import { type FakeStripe, startFakeStripe } from '../../../../test/stripe.ts'
import { applicationApi } from '../../application/contract.ts'
import { sprintApi } from '../../sprint/contract.ts'
import { feeApi } from '../contract.ts'
import { syncFee } from './commands.ts'

beforeAll(testServer)

/** A lead who missed a step, with the fee due. */
const aDebtor = async () => {
  const lead = await anApplicant()
  await withProspects((db) => db.updateTable('settings').set({ monthlyAdmissions: 1000 }).execute())
  const owner = await theOwner()
  const params = { leadId: lead.leadId }
  await owner.ok(sprintApi.admit, { params, body: { note: '' } })
  await withProspects((db) =>
    db
      .updateTable('sprints')
      .set({ status: 'missed', feeStatus: 'due', startedAt: clock.iso(), endsAt: clock.iso() })
      .where('leadId', '=', lead.leadId)
      .execute(),
  )
  const application = await withProspects((db) =>
    db.selectFrom('applications').select('id').where('leadId', '=', lead.leadId).executeTakeFirstOrThrow(),
  )
  return {
    ...lead,
    owner,
    params,
    own: { params: { token: hmacToken('link', `prospect-application:${application.id}`) } },
  }
}
const confirm = ({ owner, params }: Awaited<ReturnType<typeof aDebtor>>) =>
  owner.ok(sprintApi.confirmFee, { params, body: { note: '' } })
const mails = (leadId: string) =>
  withProspects((db) =>
    db
      .selectFrom('messages')
      .select(['subject', 'bodyText'])
      .where('leadId', '=', leadId)
      .where('dedupeKey', 'like', 'sprint:%:fee-%')
      .orderBy('createdAt')
      .execute(),
  )
const idOf = (url: string) => url.split('/').at(-1) ?? ''
const payCard = (url: string, cardNumber = '4242 4242 4242 4242') =>
  stranger.call(localPaymentsApi.pay, { params: { sessionId: idOf(url) }, body: { cardNumber } })

describe('the onboarding fee', () => {
  it('has a link once it is confirmed, mailed only when the product owner says so, once a day', async () => {
    const debtor = await aDebtor()
    expect((await debtor.api.call(feeApi.pay, debtor.own)).status).toBe(409)
    expect((await debtor.owner.call(feeApi.send, { params: debtor.params })).status).toBe(409)
    const confirmed = await confirm(debtor)
    expect(confirmed).toMatchObject({ sprint: { feeStatus: 'confirmed' }, feeLinkSentAt: null })
    expect(confirmed.feeUrl).toContain(`#status=${debtor.own.params.token}`)
    expect(await mails(debtor.leadId)).toEqual([])
    await Promise.all([1, 2, 3].map(() => debtor.owner.ok(feeApi.send, { params: debtor.params })))
    const sent = await mails(debtor.leadId)
    expect(sent.map(({ subject }) => subject)).toEqual(['Your onboarding fee'])
    expect(sent[0]?.bodyText).toContain(confirmed.feeUrl)
    expect(sent[0]?.bodyText).toContain('$299')
  })

  it('opens one page for presses at once, is declined, paid once, and told once by webhook and return', async () => {
    const debtor = await aDebtor()
    await confirm(debtor)
    const opened = await Promise.all([1, 2, 3].map(() => debtor.api.ok(feeApi.pay, debtor.own)))
    const [url = ''] = new Set(opened.map((one) => one.url))
    expect(new Set(opened.map((one) => one.url)).size).toBe(1)
    expect((await debtor.api.ok(feeApi.pay, debtor.own)).url).toBe(url)
    const page = await stranger.ok(localPaymentsApi.checkout, { params: { sessionId: idOf(url) } })
    expect(page).toMatchObject({ amountCents: 29_900, description: 'Setup Sprint: onboarding fee', status: 'open' })
    expect((await payCard(url, '4000 0000 0000 0002')).body.result).toBe('declined')
    await Promise.all([payCard(url), payCard(url)])
    await runTasks()
    await Promise.all([1, 2].map(() => debtor.api.ok(feeApi.sync, debtor.own)))
    const seen = await debtor.owner.ok(sprintApi.ofLead, { params: debtor.params })
    expect(seen).toMatchObject({ sprint: { feeStatus: 'paid' }, feeUrl: null, feePaidAt: expect.any(String) })
    expect((await mails(debtor.leadId)).map(({ subject }) => subject)).toEqual(['We have your payment'])
    expect((await debtor.api.call(feeApi.pay, debtor.own)).error.message).toBe('This fee is paid. Thank you!')
    expect((await debtor.owner.call(sprintApi.waiveFee, { params: debtor.params, body: { note: '' } })).status).toBe(
      409,
    )
    expect((await debtor.api.ok(applicationApi.get, debtor.own)).sprint?.feeStatus).toBe('paid')
  })

  it('is paid by the webhook alone when nobody comes back', async () => {
    const debtor = await aDebtor()
    await confirm(debtor)
    await payCard((await debtor.api.ok(feeApi.pay, debtor.own)).url)
    await runTasks()
    expect((await debtor.owner.ok(sprintApi.ofLead, { params: debtor.params })).sprint?.feeStatus).toBe('paid')
  })

  it('is nobody else to open: not by the token of a browser, nor by one that is made up', async () => {
    const debtor = await aDebtor()
    await confirm(debtor)
    for (const token of [debtor.token, 'x'.repeat(43)])
      for (const call of [feeApi.pay, feeApi.sync])
        expect((await stranger.call(call, { params: { token } })).status).toBe(404)
    expect((await stranger.call(feeApi.send, { params: debtor.params })).status).toBe(401)
  })

  it('hands out no page in its last minute: it is ended, and a fresh one takes the money', async () => {
    const debtor = await aDebtor()
    await confirm(debtor)
    const first = await debtor.api.ok(feeApi.pay, debtor.own)
    await database()
      .updateTable('localCheckoutSessions')
      .set({ expiresAt: new Date(clock.nowMs() + 30_000).toISOString() })
      .where('id', '=', idOf(first.url))
      .execute()
    const second = await debtor.api.ok(feeApi.pay, debtor.own)
    expect(second.url).not.toBe(first.url)
    expect((await payCard(first.url)).status).toBe(409)
    expect((await payCard(second.url)).body.result).toBe('paid')
  })

  it('opens a fresh page after one that expired', async () => {
    const debtor = await aDebtor()
    await confirm(debtor)
    const first = await debtor.api.ok(feeApi.pay, debtor.own)
    await debtor.owner.ok(sprintApi.ofLead, { params: debtor.params })
    const { expireCheckout } = await import('../../../../platform/payments/providers.ts')
    await expireCheckout(idOf(first.url))
    const second = await debtor.api.ok(feeApi.pay, debtor.own)
    expect(second.url).not.toBe(first.url)
    expect((await payCard(second.url)).body.result).toBe('paid')
  })
})

describe('with Stripe', () => {
  let fake: FakeStripe
  beforeAll(async () => {
    fake = await startFakeStripe({ basic_month: 4999 })
    const environment = Object.fromEntries(stripeNames.map((name) => [name, `price_live_${name.toLowerCase()}`]))
    const keys = { STRIPE_SECRET_KEY: 'sk_test_fee', STRIPE_WEBHOOK_SECRET: 'whsec_fee', STRIPE_API_BASE: fake.url }
    Object.assign(config, { stripe: readStripeSettings({ ...environment, ...keys }, false) })
  })
  afterAll(async () => {
    Object.assign(config, { stripe: { mode: 'off' } })
    await fake.close()
  })

  it('asks for one payment of the fee, and only money that is there makes it paid', async () => {
    const debtor = await aDebtor()
    await confirm(debtor)
    const opened = await Promise.all([1, 2].map(() => debtor.api.ok(feeApi.pay, debtor.own)))
    expect(opened[0]?.url).toBe(opened[1]?.url)
    const id = idOf(opened[0]?.url ?? '')
    expect(fake.objects.get(id)).toMatchObject({
      mode: 'payment',
      line_items: [{ price_data: { currency: 'usd', unit_amount: '29900' } }],
    })
    const became = (changes: object) => fake.objects.set(id, { ...fake.objects.get(id), ...changes } as never)
    const statusNow = async () => (await debtor.owner.ok(sprintApi.ofLead, { params: debtor.params })).sprint?.feeStatus
    became({ status: 'complete', payment_status: 'unpaid', amount_total: 29_900, livemode: false })
    await syncFee(id)
    expect(await statusNow()).toBe('confirmed')
    became({ payment_status: 'paid', payment_intent: 'pi_1', amount_total: 100 })
    await syncFee(id)
    expect(await statusNow()).toBe('confirmed')
    became({ amount_total: 29_900 })
    await debtor.api.ok(feeApi.sync, debtor.own)
    expect(await statusNow()).toBe('paid')
  })
})
