import { sql } from 'kysely'
import { type Actor, systemActor } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { asBusinessId, type BusinessId, type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { signSupportToken } from '../../../platform/http/support.ts'
import { newId } from '../../../platform/ids.ts'
import { seal, takeOnce, unseal } from '../../../platform/sealed.ts'
import { brand } from '../../../shared/brand.ts'
import { AppError, notFound } from '../../../shared/errors.ts'
import { supportPermissions } from '../../../shared/support.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { notifyUsers } from '../../notifications/server/commands.ts'
import type { SupportAccess, SupportView } from '../contract.ts'
import { codeSeconds, type GrantHours, grantEnd, visitEnd } from '../rules.ts'
import { findLookup, findOpenGrant, getSupportAccess, getSupportView } from './queries.ts'
import { supportOpenedMail } from './templates.ts'

const entity = (id: string) => ({ type: 'supportGrant', id })

/** Ends a grant that ran out, or that somebody gave who is not the Owner any more, so that a new one can be open. */
const settle = (db: TenantDb, ownerId: string, now: string) =>
  db
    .updateTable('supportGrants')
    .set({ endedAt: sql`least(expires_at, ${now}::timestamptz)` })
    .where('businessId', '=', db.businessId)
    .where('endedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', '<=', now), eb('grantedBy', '!=', ownerId)]))
    .execute()

/** Lets support in. While a grant is open it stays as it is, whatever was pressed: a doubled click is one grant. */
export const grantSupport = (actor: Actor, input: { hours: GrantHours; note: string }): Promise<SupportAccess> =>
  withTenant(actor, async (db) => {
    const now = clock.iso()
    await settle(db, actor.userId, now)
    const id = newId()
    const expiresAt = grantEnd(now, input.hours)
    const made = await db
      .insertInto('supportGrants')
      .values({ businessId: db.businessId, id, grantedBy: actor.userId, ...input, grantedAt: now, expiresAt })
      .onConflict((c) => c.columns(['businessId']).where('endedAt', 'is', null).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made) {
      const lookup = { grantId: id, expiresAt }
      await db
        .insertInto('supportLookups')
        .values({ businessId: db.businessId, ...lookup })
        .onConflict((c) => c.column('businessId').doUpdateSet(lookup))
        .execute()
      await audit(db, actor, 'support.grant', entity(id), { after: { ...input, expiresAt } })
      await publishChange(db, 'business')
    }
    return getSupportAccess(db)
  })

/** Ends a grant at once; its visits are over at their next request. Ending it twice changes nothing. */
export const endSupport = (actor: Actor, grantId: string): Promise<SupportAccess> =>
  withTenant(actor, async (db) => {
    const grant = await db
      .selectFrom('supportGrants')
      .select(['endedAt', 'expiresAt'])
      .where('businessId', '=', db.businessId)
      .where('id', '=', grantId)
      .forUpdate()
      .executeTakeFirst()
    if (!grant) throw notFound('grant')
    if (grant.endedAt === null && Date.parse(grant.expiresAt) > clock.nowMs()) {
      const now = clock.iso()
      await db
        .updateTable('supportGrants')
        .set({ endedAt: now, endedBy: actor.userId })
        .where('businessId', '=', db.businessId)
        .where('id', '=', grantId)
        .execute()
      await db.deleteFrom('supportLookups').where('grantId', '=', grantId).execute()
      await audit(db, actor, 'support.end', entity(grantId))
      await publishChange(db, 'business')
    }
    return getSupportAccess(db)
  })

const purpose = 'support-access'
type Code = { businessId: string; grantId: string; openedBy: string }

const noGrant = () => new AppError('not_found', 'The owner does not let support in any more. Nothing was opened.')
const deadCode = () =>
  new AppError(
    'not_found',
    'This way in was used already or is more than a minute old. Nothing was opened; open the business from the desk again.',
  )

/** A code that opens the business once, within a minute. @throws AppError not_found without an open grant */
export const makeSupportCode = async (
  productOwner: string,
  grantId: string,
): Promise<{ code: string; expiresInSeconds: number }> => {
  const businessId = await findLookup(grantId)
  const grant = businessId ? await withTenant({ businessId, readOnly: true }, findOpenGrant) : null
  if (!businessId || grant?.id !== grantId) throw noGrant()
  const code: Code = { businessId, grantId, openedBy: productOwner }
  return { code: seal(purpose, code, codeSeconds), expiresInSeconds: codeSeconds }
}

const notifyOwner = async (db: TenantDb, grantId: string, until: string): Promise<void> => {
  const owner = await db
    .selectFrom('users')
    .innerJoin('businesses', 'businesses.businessId', 'users.businessId')
    .where('users.businessId', '=', db.businessId)
    .where('users.role', '=', 'Owner')
    .where('users.archivedAt', 'is', null)
    .select(['users.id', 'users.name', 'users.email', 'businesses.name as businessName', 'businesses.timeZone'])
    .executeTakeFirst()
  if (!owner) return
  await notifyUsers(db, [owner.id], {
    type: 'system',
    title: `${brand.name} support opened your business`,
    content: 'It looks because you let it in, and it can change nothing.',
    path: '/profile#support',
    dedupeKey: `support:${grantId}`,
  })
  if (owner.email)
    await queueMessage(db, {
      channel: 'email',
      purpose: 'account',
      fromName: brand.name,
      address: owner.email,
      userId: owner.id,
      dedupeKey: `account:support:${grantId}`,
      ...supportOpenedMail(owner, until),
    })
}

/**
 * Begins a visit for a code of the desk: the code is good once, the grant is looked at again, and the Owner is told the first time.
 * @throws AppError not_found when the code is used, late or forged, or when nobody lets support in any more
 */
export const openSupport = async (text: string): Promise<SupportView & { token: string }> => {
  const code = unseal<Code>(purpose, text)
  if (!code || !(await takeOnce(code))) throw deadCode()
  const { grantId, openedBy } = code.data
  const businessId = asBusinessId(code.data.businessId)
  const visit = await withTenant({ businessId }, async (db) => {
    const grant = await db
      .selectFrom('supportGrants')
      .innerJoin('businesses', 'businesses.businessId', 'supportGrants.businessId')
      .innerJoin('users', (join) =>
        join
          .onRef('users.businessId', '=', 'supportGrants.businessId')
          .onRef('users.id', '=', 'supportGrants.grantedBy'),
      )
      .where('supportGrants.businessId', '=', db.businessId)
      .where('users.role', '=', 'Owner')
      .where('supportGrants.id', '=', grantId)
      .where('supportGrants.endedAt', 'is', null)
      .where('supportGrants.expiresAt', '>', clock.iso())
      .where('businesses.closedAt', 'is', null)
      .select(['supportGrants.expiresAt', 'supportGrants.notifiedAt'])
      .forUpdate('supportGrants')
      .executeTakeFirst()
    if (!grant) throw noGrant()
    const [id, openedAt] = [newId(), clock.iso()]
    const expiresAt = visitEnd(openedAt, grant.expiresAt)
    await db
      .insertInto('supportVisits')
      .values({ businessId: db.businessId, id, grantId, openedBy, openedAt, expiresAt })
      .execute()
    if (!grant.notifiedAt) {
      await notifyOwner(db, grantId, grant.expiresAt)
      await db
        .updateTable('supportGrants')
        .set({ notifiedAt: openedAt })
        .where('businessId', '=', db.businessId)
        .where('id', '=', grantId)
        .execute()
    }
    await audit(db, systemActor(db.businessId), 'support.open', entity(grantId), {
      after: { visitId: id, by: openedBy },
    })
    await publishChange(db, 'business')
    return { id, expiresAt, view: await getSupportView(db, { id, until: expiresAt, permissions: supportPermissions }) }
  })
  const token = await signSupportToken({ businessId, visitId: visit.id, expiresAt: visit.expiresAt })
  return { ...visit.view, token }
}

/** Support leaves; the visit's token is worth nothing from then on. */
export const leaveSupport = async (actor: Actor): Promise<void> => {
  const { businessId, support } = actor
  if (!support) return
  await withTenant({ businessId }, async (db) => {
    await db
      .updateTable('supportVisits')
      .set({ endedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('id', '=', support.visitId)
      .where('endedAt', 'is', null)
      .execute()
    await audit(db, systemActor(db.businessId), 'support.leave', entity(support.grantId), {
      after: { visitId: support.visitId },
    })
    await publishChange(db, 'business')
  })
}

/** What a screen asks for at once is one look. */
const oneEntryMs = 3_000

/** Writes down that support looked at an area, for the Owner to read. */
export const logAccess = async (businessId: BusinessId, visitId: string, area: string): Promise<void> => {
  const now = clock.iso()
  await withTenant({ businessId }, (db) =>
    db
      .insertInto('supportAccessLog')
      .values({ businessId: db.businessId, visitId, area, firstAt: now, lastAt: now })
      .onConflict((c) =>
        c.columns(['businessId', 'visitId', 'area']).doUpdateSet({
          times: sql<number>`support_access_log.times + case when ${now}::timestamptz - support_access_log.last_at > make_interval(secs => ${oneEntryMs / 1000}) then 1 else 0 end`,
          lastAt: sql<string>`greatest(support_access_log.last_at, ${now}::timestamptz)`,
        }),
      )
      .execute(),
  )
}
