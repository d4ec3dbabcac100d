import { expect, it } from 'vitest'
import { database } from '../../../../platform/db/database.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import { asBusinessId, withTenant } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { runTasks, stranger } from '../../../../test/api.ts'
import { aBusiness } from '../../../../test/factories.ts'
import { anOwner, aProspect } from '../../../../test/prospects.ts'
import { accountsApi } from '../../../accounts/contract.ts'
import { followupApi } from '../../followup/contract.ts'
import { leadAccountApi } from '../contract.ts'

const body = { name: 'Dana Whitfield', businessName: 'Whitfield Lawns' }

/** What the address was mailed: in which business, and with which link. */
const mailedTo = async (email: string) => {
  await runTasks()
  const lookup = await database().selectFrom('accountEmails').selectAll().where('email', '=', email).executeTakeFirst()
  if (!lookup) throw new Error('Nobody has this address.')
  const businessId = asBusinessId(lookup.businessId)
  return withTenant({ businessId }, async (db) => ({
    business: await db
      .selectFrom('businesses')
      .select(['name', 'companySize', 'openedByProductOwner'])
      .where('businessId', '=', businessId)
      .executeTakeFirstOrThrow(),
    letters: await db
      .selectFrom('messages')
      .select(['subject', 'bodyText'])
      .where('businessId', '=', businessId)
      .where('address', '=', email)
      .orderBy('createdAt')
      .execute(),
  }))
}
const tokenIn = (text: string | null | undefined) => /reset-password\?token=([\w-]+)/.exec(text ?? '')?.[1] ?? ''

it('a lead gets an account with one press, sets a password by the link of the mail, and is in', async () => {
  const owner = await anOwner()
  const email = `${newId()}@oak.test`
  const leadId = await aProspect({ email })
  const press = () => owner.call(leadAccountApi.invite, { params: { leadId }, body })
  const answers = await Promise.all([press(), press()])
  answers.push(await press())
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(answers.map(({ body: { state } }) => state).sort()).toEqual(['invited', 'sent_already', 'sent_already'])
  const { business, letters } = await mailedTo(email)
  expect(business).toEqual({ name: 'Whitfield Lawns', companySize: 'small', openedByProductOwner: true })
  expect(letters.map(({ subject }) => subject)).toEqual(['Your Swath account for Whitfield Lawns is ready'])
  expect((await stranger.call(accountsApi.login, { body: { email, password: 'meadow-2026' } })).status).toBe(401)
  await stranger.ok(accountsApi.resetPassword, {
    params: { token: tokenIn(letters[0]?.bodyText) },
    body: { password: 'meadow-2026' },
  })
  const { user } = await stranger.ok(accountsApi.login, { body: { email, password: 'meadow-2026' } })
  expect(user).toMatchObject({ role: 'Owner', name: 'Dana Whitfield' })
  const audits = await withProspects((db) =>
    db.selectFrom('auditLog').select(['action', 'actor']).where('entityId', '=', leadId).execute(),
  )
  expect(audits).toContainEqual({ action: 'lead.account.invited', actor: 'owner' })
  const { items } = await owner.ok(followupApi.history, { params: { leadId } })
  expect(items.map(({ kind, text }) => [kind, text])).toContainEqual(['account', 'Whitfield Lawns'])
  // From here on the address is in use.
  const later = await press()
  expect([later.status, later.error.message]).toEqual([409, expect.stringContaining('has an account already')])
  expect((await mailedTo(email)).letters.filter(({ subject }) => subject?.includes('is ready'))).toHaveLength(1)
})

it('a link nobody used is mailed again later, and only the last one works', async () => {
  const owner = await anOwner()
  const email = `${newId()}@oak.test`
  const leadId = await aProspect({ email })
  await owner.ok(leadAccountApi.invite, { params: { leadId }, body })
  const first = await mailedTo(email)
  const lookup = await database().selectFrom('accountEmails').selectAll().where('email', '=', email).executeTakeFirst()
  const businessId = asBusinessId(lookup?.businessId ?? '')
  await withTenant({ businessId }, (db) =>
    db
      .updateTable('accountLinks')
      .set({ createdAt: new Date(Date.now() - 16 * 60_000).toISOString() })
      .where('businessId', '=', businessId)
      .execute(),
  )
  expect((await owner.ok(leadAccountApi.invite, { params: { leadId }, body })).state).toBe('sent_again')
  const { letters } = await mailedTo(email)
  expect(letters).toHaveLength(2)
  const reset = (text: string | null | undefined) =>
    stranger.call(accountsApi.resetPassword, { params: { token: tokenIn(text) }, body: { password: 'meadow-2026' } })
  expect((await reset(first.letters[0]?.bodyText)).status).toBe(404)
  expect((await reset(letters.find(({ bodyText }) => bodyText !== first.letters[0]?.bodyText)?.bodyText)).status).toBe(
    200,
  )
})

it('an address that has an account keeps it; an unknown lead and strangers get nothing', async () => {
  const owner = await anOwner()
  const { owner: person } = await aBusiness()
  const leadId = await aProspect({ email: person.email })
  const refused = await owner.call(leadAccountApi.invite, { params: { leadId }, body })
  expect([refused.status, refused.error.code]).toEqual([409, 'state_conflict'])
  expect((await owner.call(leadAccountApi.invite, { params: { leadId: newId() }, body })).status).toBe(404)
  expect((await stranger.call(leadAccountApi.invite, { params: { leadId }, body })).status).toBe(401)
  const blank = await owner.call(leadAccountApi.invite, { params: { leadId }, body: { ...body, businessName: ' ' } })
  expect(blank.status).toBe(422)
})
