import { type Selectable, sql } from 'kysely'
import type { LocalAccount } from '../local/payments/accounts.ts'
import { clock } from '../platform/clock.ts'
import { database } from '../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../platform/db/tenant.ts'
import type { Businesses } from '../platform/db/types.generated.ts'
import { newId } from '../platform/ids.ts'
import { type Permission, permissionPresets, type Role, sessionKindOf } from '../shared/roles.ts'
import { type Api, apiFor, testServer } from './api.ts'

export type Person = {
  businessId: BusinessId
  userId: string
  sessionId: string
  role: Role
  name: string
  email: string
  api: Api
}

/**
 * A person of a business with an open session, inserted directly: signing in is tested where it belongs.
 */
export const aPerson = async (
  businessId: string,
  role: Role,
  changes: { name?: string; permissions?: Permission[]; wageCents?: number } = {},
): Promise<Person> => {
  const id = asBusinessId(businessId)
  const userId = newId()
  const sessionId = newId()
  const email = `${userId}@test.swath.test`
  const name = changes.name ?? `${role} ${userId.slice(-4)}`
  const permissions = changes.permissions ?? [
    ...(role === 'Employee' ? permissionPresets.crew : permissionPresets.admin),
  ]
  const now = clock.iso()
  await database().insertInto('accountEmails').values({ email, businessId, userId }).execute()
  await withTenant({ businessId: id }, async (db) => {
    await db
      .insertInto('users')
      .values({
        businessId,
        id: userId,
        email,
        emailVerifiedAt: now,
        name,
        role,
        permissions,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await db
      .insertInto('sessions')
      .values({
        businessId,
        id: sessionId,
        userId,
        familyId: newId(),
        kind: sessionKindOf(role),
        tokenHash: newId(),
        expiresAt: new Date(clock.nowMs() + 86_400_000).toISOString(),
        createdAt: now,
      })
      .execute()
    if (changes.wageCents !== undefined) {
      await db
        .insertInto('wages')
        .values({
          businessId,
          id: newId(),
          userId,
          centsPerHour: changes.wageCents,
          validFrom: '2020-01-01',
          createdAt: now,
        })
        .execute()
    }
  })
  const person = { businessId: id, userId, sessionId, role, name, email }
  return { ...person, api: await apiFor(person) }
}

/** An account that takes cards, as it stands after set-up at the local provider. */
const aCardAccount = async (businessId: BusinessId): Promise<void> => {
  const provider = 'local'
  const accountId = `acct_test_${newId().replaceAll('-', '')}`
  const payload: LocalAccount = { businessId, name: 'Green Test Lawns', state: 'ready', removed: false }
  await database()
    .insertInto('localBillingObjects')
    .values({ id: accountId, kind: 'account', payload: JSON.stringify(payload), createdAt: clock.iso() })
    .execute()
  await database().insertInto('paymentAccountLookups').values({ accountId, businessId }).execute()
  await withTenant({ businessId }, (db) =>
    db
      .insertInto('paymentAccounts')
      .values({
        businessId,
        id: newId(),
        provider,
        livemode: false,
        accountId,
        chargesEnabled: true,
        payoutsEnabled: true,
        detailsSubmitted: true,
      })
      .execute(),
  )
}

export type TestBusiness = {
  id: BusinessId
  owner: Person
  /** Shorthand for the owner's API. */
  api: Api
  admin: () => Promise<Person>
  employee: (changes?: { name?: string; permissions?: Permission[]; wageCents?: number }) => Promise<Person>
  /** Rows straight from the tables of this business. */
  db: <T>(work: (db: TenantDb) => Promise<T>) => Promise<T>
}

/** A fresh business with an Owner, on enterprise unless told otherwise. Each test makes its own, so nothing is ever emptied. */
export const aBusiness = async (
  changes: {
    name?: string
    timeZone?: string
    tier?: 'basic' | 'pro' | 'enterprise' | null
    status?: Selectable<Businesses>['subscriptionStatus']
    workDays?: number[]
    /** Without an account of its own no card is taken. */
    cards?: boolean
  } = {},
): Promise<TestBusiness> => {
  await testServer()
  const id = asBusinessId(newId())
  const slug = `b-${id}`.slice(0, 50)
  const now = clock.iso()
  await withTenant({ businessId: id }, async (db) => {
    await db
      .insertInto('businesses')
      .values({
        businessId: id,
        name: changes.name ?? 'Green Test Lawns',
        slug,
        timeZone: changes.timeZone ?? 'America/New_York',
        planTier: changes.tier === undefined ? 'enterprise' : changes.tier,
        subscriptionStatus: changes.status ?? (changes.tier === null ? 'none' : 'active'),
        workDays: changes.workDays ?? [1, 2, 3, 4, 5, 6],
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await db.insertInto('slugs').values({ slug, businessId: id }).execute()
  })
  if (changes.cards !== false) await aCardAccount(id)
  const owner = await aPerson(id, 'Owner')
  return {
    id,
    owner,
    api: owner.api,
    admin: () => aPerson(id, 'Admin'),
    employee: (options) => aPerson(id, 'Employee', options),
    db: (work) =>
      withTenant({ businessId: id }, async (db) => {
        // tests put invoices into the past: the guard of what was issued lets the days of one move here, and nothing else of it
        await sql`set local swath.past_days = 'on'`.execute(db)
        return work(db)
      }),
  }
}
