import { createHash } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { clock } from '../../../platform/clock.ts'
import { database } from '../../../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { forgetFailures, freePerAccount, noteFailure, refuseWhilePaused } from '../../../platform/http/rate-limit.ts'
import { signAccessToken } from '../../../platform/http/session.ts'
import { newId } from '../../../platform/ids.ts'
import { hmacToken } from '../../../platform/keys.ts'
import { AppError } from '../../../shared/errors.ts'
import { type SessionKind, sessionKindOf } from '../../../shared/roles.ts'
import type { SessionUser } from '../contract.ts'
import { refreshSeconds, refreshVerdict } from '../rules.ts'
import { demandSecondStep } from '../twofactor/server/queries.ts'
import { admitToBusiness } from './closed-business.ts'
import { getSessionUser } from './queries.ts'
import { lockSessionsOf } from './session-lock.ts'

export type Device = { userAgent: string; ip: string }
export type OpenSession = { token: string; user: SessionUser; kind: SessionKind; refreshToken: string }

// argon2id, OWASP's minimum set: 19 MiB, two passes, one lane.
const argon = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

export const hashPassword = (password: string): Promise<string> => hash(password, argon)

/** Compared with when nobody has the e-mail, so that an unknown account takes the same time. */
let nobody: Promise<string> | undefined

const refused = () => new AppError('invalid_credentials', 'Invalid credentials. Please try again.')

const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

/** `business.session.secret`: the cookie itself holds the way to the business. The secret is made again from the key, so a repeat can be answered. */
const refreshTokenOf = (businessId: BusinessId, sessionId: string): string =>
  `${businessId}.${sessionId}.${hmacToken('access-token', `refresh:${businessId}:${sessionId}`)}`

const insertSession = async (
  db: TenantDb,
  session: { userId: string; familyId: string; kind: SessionKind; device: Device },
): Promise<{ id: string; refreshToken: string }> => {
  const id = newId()
  const refreshToken = refreshTokenOf(db.businessId, id)
  const now = clock.iso()
  await db
    .insertInto('sessions')
    .values({
      businessId: db.businessId,
      id,
      userId: session.userId,
      familyId: session.familyId,
      kind: session.kind,
      tokenHash: tokenHash(refreshToken),
      userAgent: session.device.userAgent.slice(0, 300),
      ip: session.device.ip,
      expiresAt: new Date(clock.nowMs() + refreshSeconds * 1000).toISOString(),
      createdAt: now,
      lastUsedAt: now,
    })
    .execute()
  return { id, refreshToken }
}

/** A new session for a person whose proof was checked elsewhere (password, invite, Google). */
export const openSession = async (
  businessId: BusinessId,
  userId: string,
  device: Device,
  options: { reopen?: boolean; secondStep?: 'taken' } = {},
): Promise<OpenSession> => {
  const opened = await withTenant({ businessId }, async (db) => {
    const user = await getSessionUser(db, userId)
    if (options.secondStep !== 'taken') await demandSecondStep(db, userId, options.reopen ?? false)
    await admitToBusiness(db, user, options.reopen ?? false)
    const { tokenVersion } = await db
      .selectFrom('users')
      .select('tokenVersion')
      .where('businessId', '=', businessId)
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const kind = sessionKindOf(user.role)
    return { user, kind, tokenVersion, ...(await insertSession(db, { userId, familyId: newId(), kind, device })) }
  })
  const token = await signAccessToken({ businessId, userId, sessionId: opened.id, tokenVersion: opened.tokenVersion })
  return { token, user: opened.user, kind: opened.kind, refreshToken: opened.refreshToken }
}

/**
 * Signs a person in by e-mail and password. Failures slow down per account and address pair, and many from anywhere the account; unknown accounts get the same words and time.
 * @throws AppError invalid_credentials, too_many_requests
 */
export const signIn = async (
  input: { email: string; password: string; reopen?: boolean | undefined },
  device: Device,
): Promise<OpenSession> => {
  const key = `signin:${input.email}:${device.ip}`
  const account = `signin:${input.email}`
  await refuseWhilePaused(key)
  await refuseWhilePaused(account)
  const lookup = await database()
    .selectFrom('accountEmails')
    .selectAll()
    .where('email', '=', input.email)
    .executeTakeFirst()
  const person = lookup
    ? await withTenant({ businessId: asBusinessId(lookup.businessId) }, (db) =>
        db
          .selectFrom('users')
          .select(['id', 'passwordHash', 'status', 'archivedAt'])
          .where('businessId', '=', lookup.businessId)
          .where('id', '=', lookup.userId)
          .executeTakeFirst(),
      )
    : undefined
  nobody ??= hashPassword('nobody has this password')
  const matches = await verify(person?.passwordHash ?? (await nobody), input.password)
  if (!lookup || !person?.passwordHash || !matches || person.status !== 'active' || person.archivedAt) {
    await noteFailure(key)
    await noteFailure(account, freePerAccount)
    throw refused()
  }
  await forgetFailures(key, account)
  return openSession(asBusinessId(lookup.businessId), person.id, device, { reopen: input.reopen ?? false })
}

const ended = () => new AppError('session_ended', 'Your session has ended. Please sign in again.')

const parseRefresh = (cookie: string | undefined): { businessId: BusinessId; sessionId: string } => {
  const [business, sessionId] = (cookie ?? '').split('.')
  if (!business || !sessionId || !/^[0-9a-f-]{36}$/.test(sessionId)) throw ended()
  try {
    return { businessId: asBusinessId(business), sessionId }
  } catch {
    throw ended()
  }
}

const lockSession = async (db: TenantDb, id: string) => {
  const lookup = await db
    .selectFrom('sessions')
    .select('userId')
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (lookup) await lockSessionsOf(db, lookup.userId)
  return db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.businessId', '=', 'sessions.businessId').onRef('users.id', '=', 'sessions.userId'),
    )
    .where('sessions.businessId', '=', db.businessId)
    .where('sessions.id', '=', id)
    .select([
      'sessions.id',
      'sessions.userId',
      'sessions.familyId',
      'sessions.kind',
      'sessions.tokenHash',
      'sessions.usedAt',
      'sessions.revokedAt',
      'sessions.expiresAt',
      'sessions.successorId',
      'users.status',
      'users.role',
      'users.tokenVersion',
      'users.archivedAt',
    ])
    .forUpdate('sessions')
    .executeTakeFirst()
}

const revokeFamily = (db: TenantDb, familyId: string, reason: string) =>
  db
    .updateTable('sessions')
    .set({ revokedAt: clock.iso(), revokedReason: reason })
    .where('businessId', '=', db.businessId)
    .where('familyId', '=', familyId)
    .where('revokedAt', 'is', null)
    .execute()

/**
 * Trades a refresh token for an access token and the next refresh token. A used one gets the same successor within its grace, as long as that
 * was not used; otherwise somebody has a copy and the whole family ends.
 * @throws AppError session_ended, session_reused
 */
export const refreshSession = async (cookie: string | undefined, device: Device): Promise<OpenSession> => {
  const { businessId, sessionId } = parseRefresh(cookie)
  const outcome = await withTenant({ businessId }, async (db) => {
    const session = await lockSession(db, sessionId)
    if (!session || session.tokenHash !== tokenHash(cookie ?? '') || session.status !== 'active' || session.archivedAt)
      return 'ended'
    const kind = sessionKindOf(session.role)
    if (kind !== session.kind) return 'ended'
    const successor = session.successorId ? await lockSession(db, session.successorId) : undefined
    const verdict = refreshVerdict({ ...session, successorUsed: Boolean(successor?.usedAt) }, kind, clock.nowMs())
    if (verdict === 'ended') return 'ended'
    if (verdict === 'reuse') {
      await revokeFamily(db, session.familyId, 'a used refresh token came again')
      return 'reuse'
    }
    const next =
      verdict === 'repeat' && successor
        ? { id: successor.id, refreshToken: refreshTokenOf(businessId, successor.id) }
        : await insertSession(db, { userId: session.userId, familyId: session.familyId, kind, device })
    if (verdict === 'rotate') {
      await db
        .updateTable('sessions')
        .set({ usedAt: clock.iso(), successorId: next.id })
        .where('businessId', '=', businessId)
        .where('id', '=', session.id)
        .execute()
    }
    return {
      ...next,
      kind,
      user: await getSessionUser(db, session.userId),
      tokenVersion: session.tokenVersion,
      userId: session.userId,
    }
  })
  if (outcome === 'ended') throw ended()
  if (outcome === 'reuse')
    throw new AppError('session_reused', 'For your safety this session was ended. Please sign in again.')
  const token = await signAccessToken({
    businessId,
    userId: outcome.userId,
    sessionId: outcome.id,
    tokenVersion: outcome.tokenVersion,
  })
  return { token, user: outcome.user, kind: outcome.kind, refreshToken: outcome.refreshToken }
}

/** Ends the session of a refresh token with its family; a token that means nothing is already signed out. */
export const signOut = async (cookie: string | undefined): Promise<void> => {
  let lookup: ReturnType<typeof parseRefresh>
  try {
    lookup = parseRefresh(cookie)
  } catch {
    return
  }
  await withTenant(lookup, async (db) => {
    const session = await lockSession(db, lookup.sessionId)
    if (session && session.tokenHash === tokenHash(cookie ?? '')) await revokeFamily(db, session.familyId, 'signed out')
  })
}
