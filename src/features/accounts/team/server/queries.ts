import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { findLink } from '../../../../platform/links.ts'
import { notFound } from '../../../../shared/errors.ts'
import type { InviteView, SignInState } from '../contract.ts'
import { inviteStateOf, signInMethodOf } from '../rules.ts'

const lastInvites = (db: TenantDb, userIds: readonly string[]) =>
  db
    .selectFrom('employeeInvites')
    .distinctOn('userId')
    .select(['userId', 'channel', 'address', 'acceptedAt', 'revokedAt', 'expiresAt', 'createdAt'])
    .where('businessId', '=', db.businessId)
    .where('userId', 'in', userIds)
    .orderBy('userId')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** How each of these people gets in. */
export const listSignInStates = async (db: TenantDb, userIds: readonly string[]): Promise<Map<string, SignInState>> => {
  if (!userIds.length) return new Map()
  const people = await db
    .selectFrom('users')
    .leftJoin('twoFactors', (join) =>
      join.onRef('twoFactors.businessId', '=', 'users.businessId').onRef('twoFactors.userId', '=', 'users.id'),
    )
    .where('users.businessId', '=', db.businessId)
    .where('users.id', 'in', userIds)
    .select((eb) => [
      'users.id',
      'users.passwordHash',
      'users.pinHash',
      'twoFactors.confirmedAt',
      eb
        .selectFrom('crewDevicePeople')
        .select((e) => e.fn.countAll<number>().as('n'))
        .whereRef('crewDevicePeople.businessId', '=', 'users.businessId')
        .whereRef('crewDevicePeople.userId', '=', 'users.id')
        .as('devices'),
    ])
    .execute()
  const linked = await db
    .selectFrom('accountIdentities')
    .select('userId')
    .where('businessId', '=', db.businessId)
    .where('userId', 'in', userIds)
    .execute()
  const withGoogle = new Set(linked.map((row) => row.userId))
  const invites = new Map((await lastInvites(db, userIds)).map((row) => [row.userId, row]))
  return new Map(
    people.map((person) => {
      const last = invites.get(person.id)
      const state = last ? inviteStateOf(last, clock.nowMs()) : null
      return [
        person.id,
        {
          method: person.passwordHash
            ? 'password'
            : withGoogle.has(person.id)
              ? 'google'
              : person.pinHash
                ? 'pin'
                : null,
          twoFactor: person.confirmedAt !== null,
          deviceCount: Number(person.devices ?? 0),
          invite:
            last && (state === 'open' || state === 'expired')
              ? {
                  channel: last.channel,
                  address: last.address,
                  state,
                  sentAt: last.createdAt,
                  expiresAt: last.expiresAt,
                }
              : null,
        } satisfies SignInState,
      ]
    }),
  )
}

export const getSignInState = async (db: TenantDb, userId: string): Promise<SignInState> => {
  const state = (await listSignInStates(db, [userId])).get(userId)
  if (!state) throw notFound('person')
  return state
}

/** The invitation with its person; nothing is locked. */
export const findInviteTx = (db: TenantDb, inviteId: string) =>
  db
    .selectFrom('employeeInvites')
    .innerJoin('users', (join) =>
      join
        .onRef('users.businessId', '=', 'employeeInvites.businessId')
        .onRef('users.id', '=', 'employeeInvites.userId'),
    )
    .innerJoin('businesses', 'businesses.businessId', 'employeeInvites.businessId')
    .where('employeeInvites.businessId', '=', db.businessId)
    .where('employeeInvites.id', '=', inviteId)
    .select([
      'employeeInvites.id',
      'employeeInvites.userId',
      'employeeInvites.channel',
      'employeeInvites.address',
      'employeeInvites.acceptedAt',
      'employeeInvites.revokedAt',
      'employeeInvites.expiresAt',
      'users.name',
      'users.email',
      'users.phone',
      'users.role',
      'users.status',
      'users.archivedAt',
      'users.language',
      'businesses.name as businessName',
    ])

/**
 * The way from a token to its invitation.
 * @throws AppError not_found for a token that is none of ours
 */
export const lookupOfInvite = async (token: string): Promise<{ businessId: BusinessId; inviteId: string }> => {
  const lookup = await findLink('employee-invite', token)
  if (!lookup) throw notFound('invitation')
  return { businessId: lookup.businessId, inviteId: lookup.entityId }
}

export const getInvite = async (token: string): Promise<InviteView> => {
  const { businessId, inviteId } = await lookupOfInvite(token)
  const row = await withTenant({ businessId }, (db) => findInviteTx(db, inviteId).executeTakeFirst())
  if (!row) throw notFound('invitation')
  const gone = row.status === 'disabled' || row.archivedAt !== null
  const state = gone && !row.acceptedAt ? 'revoked' : inviteStateOf(row, clock.nowMs())
  const open = state === 'open'
  return {
    state,
    businessName: row.businessName,
    name: open ? row.name : null,
    email: open ? row.email : null,
    phone: open ? row.phone : null,
    method: signInMethodOf(row),
    role: open ? row.role : null,
    language: row.language,
  }
}

/** An invitation for who comes with an identity provider; null for a token that is none of ours. */
export const findInvite = async (
  token: string,
): Promise<{
  businessId: BusinessId
  inviteId: string
  userId: string
  name: string
  email: string | null
  open: boolean
} | null> => {
  const lookup = await findLink('employee-invite', token)
  if (!lookup) return null
  const row = await withTenant(lookup, (db) => findInviteTx(db, lookup.entityId).executeTakeFirst())
  if (!row) return null
  const gone = row.status === 'disabled' || row.archivedAt !== null
  return {
    businessId: lookup.businessId,
    inviteId: lookup.entityId,
    userId: row.userId,
    name: row.name,
    email: row.email,
    open: !gone && inviteStateOf(row, clock.nowMs()) === 'open',
  }
}
