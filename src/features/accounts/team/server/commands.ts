import { verify } from '@node-rs/argon2'
import { type Actor, systemActor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { forgetFailures, noteFailure, refuseWhilePaused } from '../../../../platform/http/rate-limit.ts'
import { newId } from '../../../../platform/ids.ts'
import { absoluteUrl, linkToken } from '../../../../platform/links.ts'
import { refuse } from '../../../../shared/can.ts'
import { AppError, conflict, invalid, notFound } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import { toE164 } from '../../../../shared/phone.ts'
import { beyondReach, type Permission } from '../../../../shared/roles.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { type Device, hashPassword, type OpenSession, openSession } from '../../server/commands.ts'
import type { InviteChannel, SignInState } from '../contract.ts'
import { inviteDays, inviteStateOf, type SignInFacts, signInMethodOf, signInRefusals } from '../rules.ts'
import { type DeviceKey, peopleOfDevice, tieDevice, untieDevices } from './devices.ts'
import { findInviteTx, getSignInState, lookupOfInvite } from './queries.ts'
import { inviteMail, inviteText } from './templates.ts'

/**
 * Somebody of the team, held until the end of the transaction so that two changes at once wait for each other.
 * @throws AppError not_found, forbidden when the person stands above who asks
 */
export const lockPerson = async (db: TenantDb, actor: Actor, id: string) => {
  const row = await db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'phone', 'role', 'permissions', 'status', 'version', 'language'])
    .select(['passwordHash', 'pinHash'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('archivedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('person')
  const person = { ...row, permissions: row.permissions as Permission[] }
  const refusal = beyondReach(actor, person)
  if (refusal) throw new AppError('forbidden', refusal)
  return person
}

/** Withdraws what was sent and not taken. Returns whether there was something. */
export const revokeInvitesTx = async (db: TenantDb, userId: string): Promise<boolean> => {
  const ended = await db
    .updateTable('employeeInvites')
    .set({ revokedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('acceptedAt', 'is', null)
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute()
  return ended.length > 0
}

const addressFor = (person: { email: string | null; phone: string | null }, channel: InviteChannel): string =>
  (channel === 'email' ? person.email : person.phone) ?? ''

const inviteActions = { email: 'inviteByEmail', sms: 'inviteByText' } as const

/** Sends an invitation in the running transaction; what was sent to the person before ends. */
export const inviteTx = async (
  db: TenantDb,
  actor: Actor,
  person: Omit<SignInFacts, 'signIn'> & { id: string; language: string },
  channel: InviteChannel,
): Promise<void> => {
  refuse(signInRefusals[inviteActions[channel]]({ ...person, signIn: await getSignInState(db, person.id) }))
  const address = addressFor(person, channel)
  await revokeInvitesTx(db, person.id)
  const id = newId()
  const now = clock.iso()
  await db
    .insertInto('employeeInvites')
    .values({
      businessId: db.businessId,
      id,
      userId: person.id,
      channel,
      address,
      invitedBy: actor.userId,
      expiresAt: new Date(clock.nowMs() + inviteDays * 86_400_000).toISOString(),
      createdAt: now,
    })
    .execute()
  const business = await db
    .selectFrom('businesses')
    .select(['name', 'brandColor'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const letter = {
    name: person.name,
    businessName: business.name,
    brandColor: business.brandColor,
    url: absoluteUrl(paths.employeeInvite(await linkToken(db, 'employee-invite', id))),
    language: person.language === 'es' ? ('es' as const) : ('en' as const),
  }
  await queueMessage(db, {
    channel,
    purpose: 'account',
    address,
    dedupeKey: `employee-invite:${id}`,
    ...(channel === 'email' ? inviteMail(letter) : { text: inviteText(letter) }),
    userId: actor.userId,
    entity: { type: 'user', id: person.id },
  })
  await audit(db, actor, 'employee.invite', { type: 'user', id: person.id }, { after: { channel, address } })
  await publishChange(db, 'crews', [person.id])
}

/** A second click is no second invitation: the one that has just left still works. */
const justNowMs = 15_000

const wasInvitedJustNow = async (db: TenantDb, userId: string, channel: InviteChannel): Promise<boolean> => {
  const last = await db
    .selectFrom('employeeInvites')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('channel', '=', channel)
    .where('revokedAt', 'is', null)
    .where('acceptedAt', 'is', null)
    .where('createdAt', '>', new Date(clock.nowMs() - justNowMs).toISOString())
    .executeTakeFirst()
  return last !== undefined
}

/** Invites somebody who has no sign-in yet, again and by another way as often as needed; only the last invitation works. */
export const invitePerson = async (actor: Actor, id: string, channel: InviteChannel): Promise<SignInState> =>
  withTenant(actor, async (db) => {
    const person = await lockPerson(db, actor, id)
    if (!(await wasInvitedJustNow(db, id, channel))) await inviteTx(db, actor, person, channel)
    return getSignInState(db, id)
  })

export const cancelInvite = async (actor: Actor, id: string): Promise<SignInState> =>
  withTenant(actor, async (db) => {
    const person = await lockPerson(db, actor, id)
    refuse(signInRefusals.cancelInvite({ ...person, signIn: await getSignInState(db, id) }))
    await revokeInvitesTx(db, id)
    await audit(db, actor, 'employee.invite_cancel', { type: 'user', id })
    await publishChange(db, 'crews', [id])
    return getSignInState(db, id)
  })

/** Ends every session, phone and invitation of a person in the running transaction. */
export const endAccessTx = async (db: TenantDb, userId: string, reason: string): Promise<void> => {
  await db
    .updateTable('sessions')
    .set({ revokedAt: clock.iso(), revokedReason: reason })
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .execute()
  await untieDevices(db, userId)
  await revokeInvitesTx(db, userId)
}

/** A forgotten PIN or a lost phone: both stop working at once, and a new invitation goes out by text. */
export const resetPin = async (actor: Actor, id: string): Promise<SignInState> =>
  withTenant(actor, async (db) => {
    const person = await lockPerson(db, actor, id)
    refuse(signInRefusals.resetPin({ ...person, signIn: await getSignInState(db, id) }))
    await db
      .updateTable('users')
      .set((eb) => ({
        pinHash: null,
        status: 'invited',
        tokenVersion: eb('tokenVersion', '+', 1),
        updatedAt: clock.iso(),
      }))
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await endAccessTx(db, id, 'PIN reset')
    await audit(db, actor, 'employee.pin_reset', { type: 'user', id })
    await inviteTx(db, actor, { ...person, status: 'invited' }, 'sms')
    return getSignInState(db, id)
  })

const inviteLabel = {
  used: 'This invitation was taken already. Sign in instead; if that was not you, tell your office.',
  revoked: 'This invitation was withdrawn. Ask your office for a new one.',
  expired: 'This invitation is older than 7 days. Ask your office for a new one; it takes them one click.',
} as const

type Taking = {
  name: string
  passwordHash?: string
  pinHash?: string
  emailVerified: boolean
  /** For a PIN: the device in front of the person. */
  device?: { current: DeviceKey | null; userAgent: string }
}

/**
 * Marks an invitation as taken and its person as active, in the running transaction. The row is locked: of two at once one wins.
 * @returns the person's id and the cookie of a new device
 * @throws AppError state_conflict when it cannot be taken any more
 */
export const takeInviteTx = async (
  db: TenantDb,
  inviteId: string,
  taking: Taking,
): Promise<{ userId: string; deviceCookie: string | null }> => {
  const row = await findInviteTx(db, inviteId).forUpdate(['employeeInvites', 'users']).executeTakeFirst()
  if (!row) throw notFound('invitation')
  if (row.status === 'disabled' || row.archivedAt) throw conflict(inviteLabel.revoked)
  const state = inviteStateOf(row, clock.nowMs())
  if (state !== 'open') throw conflict(inviteLabel[state])
  const now = clock.iso()
  await db
    .updateTable('employeeInvites')
    .set({ acceptedAt: now })
    .where('businessId', '=', db.businessId)
    .where('id', '=', inviteId)
    .execute()
  await db
    .updateTable('users')
    .set({
      name: taking.name,
      status: 'active',
      ...(taking.passwordHash ? { passwordHash: taking.passwordHash } : {}),
      ...(taking.pinHash ? { pinHash: taking.pinHash } : {}),
      ...(taking.emailVerified ? { emailVerifiedAt: now } : {}),
      updatedAt: now,
    })
    .where('businessId', '=', db.businessId)
    .where('id', '=', row.userId)
    .execute()
  const deviceCookie = taking.device
    ? await tieDevice(db, row.userId, taking.device.current, taking.device.userAgent)
    : null
  await audit(db, systemActor(db.businessId), 'employee.invite_accept', { type: 'user', id: row.userId })
  await publishChange(db, 'crews', [row.userId])
  return { userId: row.userId, deviceCookie }
}

/** The proof that an invitation asks for: a password where there is an e-mail, else a PIN. Hashed before anything is locked. */
const proofOf = async (
  method: 'password' | 'pin',
  input: { password?: string | undefined; pin?: string | undefined },
) => {
  const given = method === 'password' ? input.password : input.pin
  if (!given)
    throw invalid([
      method === 'password'
        ? { path: 'password', message: 'Choose a password with at least 8 characters' }
        : { path: 'pin', message: 'Choose a PIN of six digits' },
    ])
  const hash = await hashPassword(given)
  return method === 'password' ? { passwordHash: hash } : { pinHash: hash }
}

/**
 * Takes an invitation with a password or a PIN and opens a session.
 * @throws AppError not_found for a foreign token, state_conflict when used, withdrawn or expired, validation_failed without the proof it asks for
 */
export const acceptInvite = async (
  token: string,
  input: { name: string; password?: string | undefined; pin?: string | undefined },
  device: Device,
  deviceKey: DeviceKey | null,
): Promise<{ session: OpenSession; deviceCookie: string | null }> => {
  const { businessId, inviteId } = await lookupOfInvite(token)
  const invite = await withTenant({ businessId }, (db) => findInviteTx(db, inviteId).executeTakeFirst())
  if (!invite) throw notFound('invitation')
  const state = inviteStateOf(invite, clock.nowMs())
  if (state !== 'open') throw conflict(inviteLabel[state])
  const method = signInMethodOf(invite)
  const proof = await proofOf(method, input)
  const taken = await withTenant({ businessId }, (db) =>
    takeInviteTx(db, inviteId, {
      name: input.name,
      ...proof,
      // The link came by mail to this very address: whoever opens it reads that mailbox.
      emailVerified: invite.channel === 'email' && invite.address === invite.email,
      ...(method === 'pin' ? { device: { current: deviceKey, userAgent: device.userAgent } } : {}),
    }),
  )
  return { session: await openSession(businessId, taken.userId, device), deviceCookie: taken.deviceCookie }
}

/** Compared with when nobody on the device has the number, so that a wrong number takes the same time. */
let nobody: Promise<string> | undefined

/**
 * Signs a crew member in by phone number and PIN, on a device that took their invitation. Failures slow down per device and number.
 * @throws AppError invalid_credentials, too_many_requests
 */
export const signInByPin = async (
  input: { phone: string; pin: string },
  device: Device,
  deviceKey: DeviceKey | null,
): Promise<OpenSession> => {
  if (!deviceKey)
    throw new AppError(
      'invalid_credentials',
      'This phone does not know you yet. Ask your office to text you an invitation, and open it on this phone.',
    )
  const phone = toE164(input.phone)
  const key = `pin:${deviceKey.deviceId}:${phone ?? 'none'}`
  await refuseWhilePaused(key)
  const businessId: BusinessId = deviceKey.businessId
  const people = await withTenant({ businessId }, (db) => peopleOfDevice(db, deviceKey))
  nobody ??= hashPassword('nobody has this PIN')
  let found: string | null = null
  const candidates = people.filter((person) => person.phone === phone && person.pinHash)
  for (const hash of candidates.length ? candidates.map((c) => c.pinHash) : [await nobody])
    if (hash && (await verify(hash, input.pin))) found = candidates.find((c) => c.pinHash === hash)?.id ?? null
  if (!found) {
    await noteFailure(key)
    throw new AppError(
      'invalid_credentials',
      'Phone number or PIN is wrong. Try again, or ask your office to reset your PIN.',
    )
  }
  await forgetFailures(key)
  const userId = found
  await withTenant({ businessId }, (db) =>
    db
      .updateTable('crewDevices')
      .set({ lastUsedAt: clock.iso() })
      .where('businessId', '=', businessId)
      .where('id', '=', deviceKey.deviceId)
      .execute(),
  )
  return openSession(businessId, userId, device)
}
