import { beforeAll, expect, it } from 'vitest'
import { withProspects } from '../../../platform/db/prospects.ts'
import { newId } from '../../../platform/ids.ts'
import type { CallInput, Endpoint, ResponseOf } from '../../../shared/endpoint.ts'
import { type Api, runTasks } from '../../../test/api.ts'
import { anApplicant, aVisitor } from '../../../test/funnel.ts'
import { anOwner, aProspect } from '../../../test/prospects.ts'
import { portalApi } from '../../accounts/portal/contract.ts'
import { callsApi } from '../../prospects/calls/contract.ts'
import { sprintApi } from '../../prospects/sprint/contract.ts'
import type { FeeStatus } from '../../prospects/sprint/rules.ts'
import { subscriptionsApi } from '../../subscriptions/contract.ts'
import { couponsApi } from '../../subscriptions/coupons/contract.ts'
import { deskApi } from '../contract.ts'

// The product owner's verbs are safe by what they do, also without an Idempotency-Key.

let owner: Api
beforeAll(async () => {
  owner = await anOwner()
  await withProspects((db) => db.updateTable('settings').set({ monthlyAdmissions: 1000 }).execute())
})

/** Pressed twice at once, and once more after a lost answer: three answers, all of them a yes. */
const thrice = async <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
  headers?: Record<string, string>,
): Promise<ResponseOf<E>[]> => {
  const press = () => owner.call(endpoint, input, headers)
  const answers = await Promise.all([press(), press()])
  answers.push(await press())
  for (const { status, error } of answers) expect(status, error?.message).toBe(200)
  return answers.map(({ body }) => body)
}
const subjectsTo = async (leadId: string): Promise<string[]> => {
  await runTasks()
  const rows = await withProspects((db) =>
    db
      .selectFrom('messages')
      .select('subject')
      .where('leadId', '=', leadId)
      .orderBy('createdAt')
      .orderBy('id')
      .execute(),
  )
  return rows.map(({ subject }) => subject)
}
const body = { note: 'Fits' }

it('admitting takes one place and sends one mail', async () => {
  const { leadId } = await anApplicant()
  const before = (await aVisitor().ok(sprintApi.places, {})).left
  await thrice(sprintApi.admit, { params: { leadId }, body })
  expect((await aVisitor().ok(sprintApi.places, {})).left).toBe(before - 1)
  expect(await subjectsTo(leadId)).toEqual(['We have your application', 'You are in: your Setup Sprint'])
})

it('confirming a fee confirms it once; what was waived or paid says so', async () => {
  const { leadId } = await anApplicant()
  await owner.ok(sprintApi.admit, { params: { leadId }, body })
  const set = (feeStatus: FeeStatus) =>
    withProspects((db) =>
      db.updateTable('sprints').set({ status: 'missed', feeStatus }).where('leadId', '=', leadId).execute(),
    )
  await set('due')
  const answers = await thrice(sprintApi.confirmFee, { params: { leadId }, body })
  expect(new Set(answers.map(({ feeUrl }) => feeUrl)).size).toBe(1)
  const audits = await withProspects((db) =>
    db
      .selectFrom('auditLog')
      .select('id')
      .where('entityId', '=', leadId)
      .where('action', '=', 'sprint.fee_confirmed')
      .execute(),
  )
  expect(audits.length).toBe(1)
  await thrice(sprintApi.waiveFee, { params: { leadId }, body })
  const waived = await owner.call(sprintApi.confirmFee, { params: { leadId }, body })
  expect([waived.status, waived.error.message]).toEqual([409, 'This fee was waived. Nothing was changed.'])
  await set('paid')
  const paid = await owner.call(sprintApi.waiveFee, { params: { leadId }, body })
  expect([paid.status, paid.error.message]).toEqual([409, 'This fee is paid already. Nothing was changed.'])
})

it('booking a demo is one call and one invitation', async () => {
  const leadId = await aProspect()
  const { slots } = await owner.ok(callsApi.slotsForOwner, { query: { minutes: 30 } })
  const calls = await thrice(callsApi.bookForLead, { params: { leadId }, body: { startsAt: slots[7] ?? '' } })
  expect(new Set(calls.map(({ _id }) => _id)).size).toBe(1)
  expect(await subjectsTo(leadId)).toEqual(['Your call is booked'])
})

it('making a coupon makes one; another one of that name is refused', async () => {
  const wish = { code: `RE-${newId().slice(-12)}`.toUpperCase(), percentOff: 20, maxUses: 5 }
  const made = await thrice(couponsApi.create, { body: wish })
  expect(new Set(made.map(({ createdAt }) => createdAt)).size).toBe(1)
  expect((await owner.call(couponsApi.create, { body: { ...wish, percentOff: 30 } })).status).toBe(409)
  await owner.ok(couponsApi.end, { params: { code: wish.code } })
  expect((await owner.call(couponsApi.create, { body: wish })).status).toBe(409)
})

it('opening an account opens one, and its checkout link is one', async () => {
  const account = {
    name: 'Dana Whitfield',
    email: `${newId()}@oak.test`,
    password: 'sixsix',
    customerCount: 11,
    companySize: 'small' as const,
  }
  const made = await thrice(portalApi.createAccount, { body: account })
  const [userId = ''] = new Set(made.map((one) => one.userId))
  expect(made.every((one) => one.userId === userId)).toBe(true)
  const other = await owner.call(portalApi.createAccount, { body: { ...account, password: 'another' } })
  expect(other.status).toBe(409)
  const links = await thrice(subscriptionsApi.createCheckout, { body: { priceId: 'price_pro_year', userId } })
  expect(new Set(links.map(({ url }) => url)).size).toBe(1)
})

it('saving settings again under its key gets the same answer; another tab is told', async () => {
  const { version, monthlyAdmissions } = await owner.ok(deskApi.settings, {})
  const input = { body: { version, monthlyAdmissions, fromName: 'Swath' } }
  const saved = await thrice(deskApi.saveSettings, input, { 'idempotency-key': newId() })
  expect(saved.map((one) => one.version)).toEqual([version + 1, version + 1, version + 1])
  expect((await owner.call(deskApi.saveSettings, { body: { version, fromName: 'Other' } })).status).toBe(409)
})
