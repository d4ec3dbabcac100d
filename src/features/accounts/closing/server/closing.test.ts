import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { database, ownerPool } from '../../../../platform/db/database.ts'
import { newId } from '../../../../platform/ids.ts'
import { fromAddress, mailsTo } from '../../../../test/account.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aCrew, aVisit, today } from '../../../../test/field.ts'
import { categoriesApi } from '../../../expenses/categories/contract.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { accountsApi } from '../../contract.ts'
import { hashPassword } from '../../server/commands.ts'
import { closingApi } from '../contract.ts'
import { deleteAllClosed, deleteClosedBusiness } from './tasks.ts'

let business: TestBusiness
let passwordHash: string
const password = 'correct horse 1'
const name = 'Green Test Lawns'
const systemOf = () => ({ kind: 'system' as const, businessId: business.id })

beforeAll(async () => {
  passwordHash = await hashPassword(password)
})
const letIn = () =>
  business.db((db) => db.updateTable('users').set({ passwordHash }).where('businessId', '=', business.id).execute())
beforeEach(async () => {
  business = await aBusiness({ tier: null })
  await letIn()
})
const owners = () =>
  business.db(async (db) =>
    (
      await db
        .selectFrom('users')
        .select('id')
        .where('businessId', '=', business.id)
        .where('role', '=', 'Owner')
        .execute()
    ).map((r) => r.id),
  )
const signIn = (email: string, more: object = {}) => fromAddress()('/api/auth/login', { email, password, ...more })

describe('transfer of ownership', () => {
  it('hands the business to an active Admin; one Owner stays, both are told, rights change at once', async () => {
    const admin = await business.admin()
    const get = await business.api.ok(closingApi.get, {})
    expect(get.candidates).toEqual([{ id: admin.userId, name: admin.name, email: admin.email }])
    await business.api.ok(closingApi.transfer, { body: { userId: admin.userId, password } })
    expect(await owners()).toEqual([admin.userId])
    expect((await business.api.call(closingApi.get, {})).status).toBe(403)
    expect((await business.api.ok(accountsApi.verify, {})).user.role).toBe('Admin')
    expect((await admin.api.ok(accountsApi.verify, {})).user.role).toBe('Owner')
    for (const { email } of [admin, business.owner])
      expect((await mailsTo(business.id, email)).map((m) => m.subject)).toEqual([`${name} has a new owner`])
  })

  it.each(['crew', 'invited', 'disabled', 'foreign', 'self', 'unknown'] as const)(
    'refuses %s and changes nothing',
    async (who) => {
      const admin = await business.admin()
      const status = who === 'invited' || who === 'disabled' ? who : 'active'
      await business.db((db) =>
        db
          .updateTable('users')
          .set({ status })
          .where('businessId', '=', business.id)
          .where('id', '=', admin.userId)
          .execute(),
      )
      const userId = {
        crew: (await business.employee()).userId,
        invited: admin.userId,
        disabled: admin.userId,
        foreign: (await (await aBusiness()).admin()).userId,
        self: business.owner.userId,
        unknown: '01980000-0000-7000-8000-000000000000',
      }[who]
      const answer = await business.api.call(closingApi.transfer, { body: { userId, password } })
      expect(answer.status).toBe(who === 'foreign' || who === 'unknown' ? 404 : 409)
      expect(await owners()).toEqual([business.owner.userId])
    },
  )

  it('needs the password, is the owner’s alone, and two at once leave one Owner', async () => {
    const [one, two] = [await business.admin(), await business.admin()]
    const wrong = await business.api.call(closingApi.transfer, { body: { userId: one.userId, password: 'nope' } })
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'password'])
    expect((await one.api.call(closingApi.transfer, { body: { userId: two.userId, password } })).status).toBe(403)
    const both = await Promise.all(
      [one, two].map((to) => business.api.call(closingApi.transfer, { body: { userId: to.userId, password } })),
    )
    expect(both.map((a) => a.status).sort()[0]).toBe(200)
    expect((await owners()).length).toBe(1)
  })
})

describe('closing the business', () => {
  const close = (more: object = {}) =>
    business.api.call(closingApi.close, { body: { password, businessName: name, ...more } })

  it('ends every session, keeps others out with words, and the owner opens it again by signing in', async () => {
    const admin = await business.admin()
    const crew = await business.employee()
    await letIn()
    await business.db((db) =>
      queueMessage(db, { channel: 'email', purpose: 'transactional', address: 'c@x.test', dedupeKey: 'k', text: 'Hi' }),
    )
    expect((await close()).status).toBe(200)
    for (const person of [business.owner, admin, crew])
      expect((await person.api.call(accountsApi.verify, {})).status).toBe(401)
    for (const person of [admin, crew]) {
      const refused = await signIn(person.email, { reopen: true })
      expect([refused.status, refused.error.message]).toEqual([
        403,
        `${name} was closed by its owner. Only the owner can open it again.`,
      ])
    }
    await runTasks()
    expect((await mailsTo(business.id, 'c@x.test')).map((m) => m.status)).toEqual(['suppressed'])
    expect((await mailsTo(business.id, admin.email)).map((m) => [m.subject, m.status])).toEqual([
      [`${name} was closed`, 'sent'],
    ])

    const asked = await signIn(business.owner.email)
    expect([asked.status, asked.error.details?.canReopen]).toEqual([409, true])
    expect((await signIn(business.owner.email, { reopen: true })).status).toBe(200)
    expect((await signIn(admin.email)).status).toBe(200)
  })

  it('needs the subscription ended, the password and the name of the business', async () => {
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ planTier: 'pro', subscriptionStatus: 'active' })
        .where('businessId', '=', business.id)
        .execute(),
    )
    expect((await business.api.ok(closingApi.get, {})).subscriptionRuns).toBe(true)
    expect((await close()).error.code).toBe('state_conflict')
    expect((await close({ businessName: 'Other' })).error.errors?.[0]?.path).toBe('businessName')
    expect((await close({ password: 'nope' })).error.errors?.[0]?.path).toBe('password')
    expect((await business.api.call(accountsApi.verify, {})).status).toBe(200)
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ subscriptionEndsAt: '2027-01-01T00:00:00.000Z' })
        .where('businessId', '=', business.id)
        .execute(),
    )
    expect((await close()).status).toBe(200)
  })

  it('is deleted step by step, each as small as it is asked for, and another business keeps everything', async () => {
    const other = await aBusiness()
    for (const one of [business, other]) {
      const crewId = await aCrew(one, { members: [one.owner] })
      // a step ends between its parts
      const { items: categories } = await one.api.ok(categoriesApi.list, {})
      await one.db(async (db) => {
        const [expenseId, categoryId] = [newId(), categories[0]?.id ?? '']
        const row = {
          businessId: one.id,
          id: expenseId,
          day: today(),
          categoryId,
          totalCents: 6,
          method: 'card' as const,
        }
        await db.insertInto('expenses').values(row).execute()
        const parts = [1, 2, 3].map((amountCents) => ({
          businessId: one.id,
          id: newId(),
          expenseId,
          position: amountCents,
          amountCents,
        }))
        await db.insertInto('expenseParts').values(parts).execute()
      })
      for (let n = 0; n < 3; n++) await aVisit(one, { crewId, status: 'completed' })
    }
    const visitsOf = async ({ id, db }: TestBusiness) =>
      (await db((tenant) => tenant.selectFrom('visits').select('id').where('businessId', '=', id).execute())).length
    const step = () =>
      business.db(async (db) => {
        const { rows } = await sql<{ step: string }>`select delete_closed_business(${business.id}, 2) as step`.execute(
          db,
        )
        return rows[0]?.step
      })
    expect(await step()).toBe('kept')
    await close()
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ deleteAfter: '2026-01-01T00:00:00.000Z' })
        .where('businessId', '=', business.id)
        .execute(),
    )
    const steps: (string | undefined)[] = []
    const left: number[] = []
    while (steps.at(-1) !== 'gone' && steps.length < 200) {
      steps.push(await step())
      left.push(await visitsOf(business))
    }
    expect(steps.at(-1)).toBe('gone')
    expect(steps.length).toBeGreaterThan(5)
    expect(left.some((count) => count > 0 && count < 3)).toBe(true)
    expect(await visitsOf(other)).toBe(3)
  })

  it('is deleted after 30 days with every record, unless it was opened again', async () => {
    const crewId = await aCrew(business, { members: [business.owner] })
    await aVisit(business, { crewId, status: 'completed' })
    const other = await aBusiness()
    await aVisit(other, { crewId: await aCrew(other, { members: [other.owner] }), status: 'completed' })
    await close()
    await deleteClosedBusiness.run(systemOf(), {})
    const alive = () =>
      business.db((db) => db.selectFrom('businesses').select('name').where('businessId', '=', business.id).execute())
    expect((await alive()).length).toBe(1)
    await business.db((db) =>
      db
        .updateTable('businesses')
        .set({ deleteAfter: '2026-01-01T00:00:00.000Z' })
        .where('businessId', '=', business.id)
        .execute(),
    )
    await deleteAllClosed.run({})
    await runTasks()
    expect(await alive()).toEqual([])
    const { rows } = await ownerPool().query<{ name: string }>(
      "select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'business_id' where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'",
    )
    for (const { name: table } of rows) {
      const left = await business.db(
        async (db) =>
          (await sql`select 1 from ${sql.table(table)} where business_id = ${business.id}`.execute(db)).rows.length,
      )
      expect(left, table).toBe(0)
    }
    expect(
      await database().selectFrom('accountEmails').select('email').where('email', '=', business.owner.email).execute(),
    ).toEqual([])
    expect((await other.api.call(accountsApi.verify, {})).status).toBe(200)
    const visits = await other.db((db) =>
      db.selectFrom('visits').select('id').where('businessId', '=', other.id).execute(),
    )
    expect(visits.length).toBe(1)
  })
})
