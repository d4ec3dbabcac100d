import { type Actor, systemActor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { database } from '../../../../platform/db/database.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { countUse } from '../../../../platform/http/rate-limit.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { log } from '../../../../platform/log.ts'
import { type Sealed, seal, takeOnce, unseal } from '../../../../platform/sealed.ts'
import { AppError, conflict } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { type Device, type OpenSession, openSession } from '../../server/commands.ts'
import { provePassword } from '../../server/proof.ts'
import { takeInviteTx } from '../../team/server/commands.ts'
import { findInvite } from '../../team/server/queries.ts'
import type { Finish } from '../contract.ts'
import { type Claims, type IdentityProblem, identityVerdict, returnPath } from '../rules.ts'
import { type Handoff, handoffOver, openHandoff } from './handoff.ts'
import { authorizationUrl, claimsFrom, type Flow } from './provider.ts'
import { findAccount, findLinked, getSignInMethodsTx } from './queries.ts'
import { connectMail } from './templates.ts'

type Target = { businessId: string; userId: string }

/** What is remembered while the browser is away. */
type Away = { flow: Flow; next: string | null; invite: string | null; connectTo: Target | null }

const awayPurpose = 'google-away'
export const awaySeconds = 600

/** Sends the browser to the identity provider; what has to come back with it is sealed for ten minutes. */
export const beginSignIn = async (
  origin: string,
  input: { next?: string | undefined; invite?: string | undefined; connectTo?: Target },
): Promise<{ url: string; state: string; cookie: string }> => {
  const { url, flow } = await authorizationUrl(origin)
  const away: Away = {
    flow,
    next: returnPath(input.next),
    invite: input.invite ?? null,
    connectTo: input.connectTo ?? null,
  }
  return { url, state: flow.state, cookie: seal(awayPurpose, away, awaySeconds) }
}

/** Ties an identity to a person; twice is once. An identity of somebody else, and a second one of this person, are refused. */
const tieIdentity = async (target: Target, identity: { issuer: string; subject: string }): Promise<void> => {
  await database()
    .insertInto('accountIdentities')
    .values({ issuer: identity.issuer, subject: identity.subject, ...target, createdAt: clock.iso() })
    .onConflict((c) => c.doNothing())
    .execute()
  const linked = await findLinked(identity.issuer, identity.subject)
  if (linked?.businessId !== target.businessId || linked.userId !== target.userId)
    throw conflict(
      linked
        ? 'This Google account belongs to another sign-in already. Nothing was changed.'
        : 'Another Google account is connected here already. Disconnect it first, in your profile.',
    )
}

const noteConnected = (db: TenantDb, userId: string): Promise<void> =>
  audit(db, systemActor(db.businessId), 'account.google_connect', { type: 'user', id: userId })

export type CameBack = { problem: IdentityProblem } | { connected: true } | { handoff: Handoff }

const takeInvite = async (
  invite: { businessId: BusinessId; inviteId: string; userId: string; name: string },
  claims: Claims,
): Promise<void> => {
  await withTenant(invite, (db) => takeInviteTx(db, invite.inviteId, { name: invite.name, emailVerified: true }))
  await tieIdentity({ businessId: invite.businessId, userId: invite.userId }, claims)
}

const decide = async (claims: Claims, away: Away): Promise<CameBack> => {
  const invite = away.invite ? await findInvite(away.invite) : null
  const verdict = identityVerdict({
    claims,
    linked: await findLinked(claims.issuer, claims.subject),
    account: await findAccount(claims.email),
    invite: away.invite
      ? { open: invite?.open ?? false, email: invite?.email ?? null, userId: invite?.userId ?? '' }
      : null,
    connectTo: away.connectTo,
  })
  const identity = { issuer: claims.issuer, subject: claims.subject, email: claims.email ?? '' }
  switch (verdict.kind) {
    case 'problem':
      return { problem: verdict.problem }
    case 'signIn':
      return { handoff: { kind: 'signIn', businessId: verdict.businessId, userId: verdict.userId, next: away.next } }
    case 'connect':
      await tieIdentity({ businessId: verdict.businessId, userId: verdict.userId }, claims)
      await withTenant({ businessId: asBusinessId(verdict.businessId) }, (db) => noteConnected(db, verdict.userId))
      return { connected: true }
    case 'takeInvite': {
      if (!invite) return { problem: 'invite_over' }
      await takeInvite(invite, claims)
      return { handoff: { kind: 'signIn', businessId: invite.businessId, userId: invite.userId, next: null } }
    }
    case 'prove':
      return {
        handoff: {
          kind: 'prove',
          businessId: verdict.businessId,
          userId: verdict.userId,
          ...identity,
          next: away.next,
        },
      }
    case 'register':
      return { handoff: { kind: 'register', name: claims.name ?? '', ...identity, next: away.next } }
  }
}

/** What the person may do, now that the browser is back. Never throws for what came from outside: each case has a page. */
export const comeBack = async (origin: string, url: URL, cookie: string | undefined): Promise<CameBack> => {
  const away = unseal<Away>(awayPurpose, cookie)
  if (!away) return { problem: 'lost' }
  const error = url.searchParams.get('error')
  if (error) return { problem: error === 'access_denied' ? 'canceled' : 'failed' }
  let claims: Claims
  try {
    claims = await claimsFrom(origin, url, away.data.flow)
  } catch (cause) {
    log.warn({ code: (cause as { code?: string }).code, event: 'identity.refused' }, 'An identity was refused')
    return { problem: 'failed' }
  }
  if (!(await takeOnce(away))) return { problem: 'lost' }
  try {
    return await decide(claims, away.data)
  } catch (cause) {
    // Two tabs, or two people at once: what the verdict rested on changed meanwhile.
    if (cause instanceof AppError && cause.status === 409)
      return { problem: away.data.invite ? 'invite_over' : 'taken' }
    throw cause
  }
}

export type SignedIn = { session: OpenSession; next: string | null }

const takeUp = async (handoff: Sealed<Handoff>): Promise<void> => {
  if (!(await takeOnce(handoff))) throw handoffOver()
}

/** Trades the one-time code: a session, or what is still asked of the person. */
export const finishSignIn = async (
  code: string,
  cookie: string | undefined,
  device: Device,
): Promise<SignedIn | Exclude<Finish, { kind: 'signedIn' }>> => {
  const sealed = openHandoff(code, cookie)
  const { data } = sealed
  if (data.kind === 'register') return { kind: 'register', email: data.email, name: data.name }
  const businessId = asBusinessId(data.businessId)
  if (data.kind === 'prove') {
    const signInMethods = await withTenant({ businessId }, (db) => getSignInMethodsTx(db, data.userId))
    return { kind: 'prove', email: data.email, hasPassword: signInMethods.hasPassword }
  }
  await takeUp(sealed)
  return { session: await openSession(businessId, data.userId, device), next: data.next }
}

const openProof = (code: string, cookie: string | undefined) => {
  const sealed = openHandoff(code, cookie)
  if (sealed.data.kind !== 'prove') throw handoffOver()
  return { sealed, data: sealed.data, businessId: asBusinessId(sealed.data.businessId) }
}

/** Connects by the password of the account that has this e-mail, and signs in. */
export const proveByPassword = async (
  code: string,
  cookie: string | undefined,
  password: string,
  device: Device,
): Promise<SignedIn> => {
  const { sealed, data, businessId } = openProof(code, cookie)
  await provePassword(businessId, data.userId, password)
  await takeUp(sealed)
  await tieIdentity({ businessId, userId: data.userId }, data)
  await withTenant({ businessId }, async (db) => {
    await db
      .updateTable('users')
      .set((eb) => ({ emailVerifiedAt: eb.fn.coalesce('emailVerifiedAt', eb.val(clock.iso())) }))
      .where('businessId', '=', businessId)
      .where('id', '=', data.userId)
      .where('email', '=', data.email)
      .execute()
    await noteConnected(db, data.userId)
  })
  return { session: await openSession(businessId, data.userId, device), next: data.next }
}

type MailedLink = Target & { issuer: string; subject: string; email: string; next: string | null }
const linkPurpose = 'google-connect'
const linkSeconds = 3600

/** Mails a link that connects, to the address of the account: whoever reads that mailbox may. */
export const proveByMail = async (code: string, cookie: string | undefined): Promise<{ sentTo: string }> => {
  const { data, businessId } = openProof(code, cookie)
  await countUse(`google-mail:${data.userId}`, 3, 3600)
  const link: MailedLink = {
    businessId,
    userId: data.userId,
    issuer: data.issuer,
    subject: data.subject,
    email: data.email,
    next: data.next,
  }
  // Behind the #: no server and no log sees it.
  const url = absoluteUrl(`${paths.oauthSuccess}#connect=${seal(linkPurpose, link, linkSeconds)}`)
  await withTenant({ businessId }, async (db) => {
    const person = await db
      .selectFrom('users')
      .select('name')
      .where('businessId', '=', businessId)
      .where('id', '=', data.userId)
      .executeTakeFirstOrThrow()
    await queueMessage(db, {
      channel: 'email',
      purpose: 'account',
      address: data.email,
      dedupeKey: `google-connect:${data.userId}:${clock.iso()}`,
      userId: data.userId,
      ...connectMail(person.name, url),
    })
  })
  return { sentTo: data.email }
}

const linkOver = (): AppError =>
  conflict(
    'This link has expired or was used already. Nothing was changed; sign in with Google again to get a new one.',
  )

/**
 * Connects by the mailed link. Where the account's e-mail was never confirmed, its password may be a stranger's who registered with
 * somebody else's address: it ends, with every session.
 */
export const connectByLink = async (token: string, device: Device): Promise<SignedIn> => {
  const sealed = unseal<MailedLink>(linkPurpose, token)
  if (!sealed) throw linkOver()
  const { userId, email, next, ...identity } = sealed.data
  const businessId = asBusinessId(sealed.data.businessId)
  const person = await withTenant({ businessId }, (db) =>
    db
      .selectFrom('users')
      .select(['email', 'emailVerifiedAt', 'status', 'archivedAt'])
      .where('businessId', '=', businessId)
      .where('id', '=', userId)
      .executeTakeFirst(),
  )
  if (person?.status !== 'active' || person.archivedAt || person.email !== email) throw linkOver()
  if (!(await takeOnce(sealed))) throw linkOver()
  await tieIdentity({ businessId, userId }, identity)
  await withTenant({ businessId }, async (db) => {
    const now = clock.iso()
    if (!person.emailVerifiedAt) {
      await db
        .updateTable('users')
        .set((eb) => ({ emailVerifiedAt: now, passwordHash: null, tokenVersion: eb('tokenVersion', '+', 1) }))
        .where('businessId', '=', businessId)
        .where('id', '=', userId)
        .execute()
      await db
        .updateTable('sessions')
        .set({ revokedAt: now, revokedReason: 'the address was confirmed by Google' })
        .where('businessId', '=', businessId)
        .where('userId', '=', userId)
        .where('revokedAt', 'is', null)
        .execute()
    }
    await noteConnected(db, userId)
  })
  return { session: await openSession(businessId, userId, device), next }
}

/** Begins to connect Google to the signed-in person, who gives the password once more. */
export const beginConnect = async (actor: Actor, origin: string, password: string) => {
  await provePassword(actor.businessId, actor.userId, password)
  return beginSignIn(origin, { connectTo: { businessId: actor.businessId, userId: actor.userId } })
}

/** Forgets the Google sign-in; never the last way in. */
export const disconnect = async (actor: Actor): Promise<void> => {
  const signInMethods = await withTenant(actor, (db) => getSignInMethodsTx(db, actor.userId))
  if (!signInMethods.connected) return
  if (!signInMethods.hasPassword)
    throw conflict('Google is the only way you can sign in. Set a password first, then disconnect.')
  await withTenant(actor, (db) => audit(db, actor, 'account.google_disconnect', { type: 'user', id: actor.userId }))
  await database()
    .deleteFrom('accountIdentities')
    .where('businessId', '=', actor.businessId)
    .where('userId', '=', actor.userId)
    .execute()
}
