import type { Actor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { notFound } from '../../../../shared/errors.ts'
import { deviceName } from '../../rules.ts'
import type { Device, Me } from '../contract.ts'

export const getMe = async (db: TenantDb, userId: string): Promise<Me> => {
  const person = db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'emailVerifiedAt', 'phone', 'language', 'role', 'passwordHash', 'version'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', userId)
    .executeTakeFirst()
  const change = db
    .selectFrom('accountLinks')
    .select('email')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('purpose', '=', 'changeEmail')
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', clock.iso())
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const [row, pending] = await Promise.all([person, change])
  if (!row) throw notFound('person')
  return {
    _id: row.id,
    name: row.name,
    email: row.email,
    emailVerified: row.emailVerifiedAt !== null,
    pendingEmail: pending?.email ?? null,
    phone: row.phone,
    language: row.language,
    role: row.role,
    hasPassword: row.passwordHash !== null,
    version: row.version,
  }
}

/** One entry for each sign-in that still lives: the family of its refresh tokens, as its newest token says. */
export const listDevices = async (db: TenantDb, actor: Actor): Promise<Device[]> => {
  const rows = await db
    .selectFrom('sessions')
    .select([
      'id',
      'familyId',
      'kind',
      'userAgent',
      'ip',
      'createdAt',
      'lastUsedAt',
      'revokedAt',
      'usedAt',
      'expiresAt',
    ])
    .where('businessId', '=', db.businessId)
    .where('userId', '=', actor.userId)
    .orderBy('id')
    .execute()
  const families = new Map<string, typeof rows>()
  for (const row of rows) families.set(row.familyId, [...(families.get(row.familyId) ?? []), row])
  const now = clock.nowMs()
  return [...families.entries()]
    .flatMap(([id, all]) => {
      const [first, newest] = [all[0], all.at(-1)]
      const isLive = all.some((row) => !row.revokedAt && !row.usedAt && Date.parse(row.expiresAt) > now)
      if (!first || !newest || !isLive) return []
      return [
        {
          id,
          name: deviceName(newest.userAgent),
          app: newest.kind,
          ip: newest.ip,
          signedInAt: first.createdAt,
          lastUsedAt:
            all
              .map((row) => row.lastUsedAt)
              .sort()
              .at(-1) ?? newest.lastUsedAt,
          current: all.some((row) => row.id === actor.sessionId),
        },
      ]
    })
    .sort((a, b) => Number(b.current) - Number(a.current) || b.lastUsedAt.localeCompare(a.lastUsedAt))
}
