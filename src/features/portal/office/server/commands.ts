import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { absoluteUrl } from '../../../../platform/links.ts'
import { refuse } from '../../../../shared/can.ts'
import { invalid, notFound } from '../../../../shared/errors.ts'
import { paths } from '../../../../shared/paths.ts'
import { updateProperty } from '../../../customers/server/commands.ts'
import { getSender } from '../../../invoices/server/commands.ts'
import { getPaperReach } from '../../../messages/paperways/server/queries.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { listServiceIds } from '../../../services/server/queries.ts'
import { getSkipRules } from '../../../visits/server/skips/queries.ts'
import type { PortalRequest, PortalSettings } from '../../contract.ts'
import { type PortalRules, type RequestAction, type RequestState, requestRefusals } from '../../rules.ts'
import { getDoor, getPortalSettings, getRequest, getRules } from '../../server/queries.ts'
import { answerMail } from '../../server/templates.ts'

/** Changes the rules of the portal. @throws AppError version_conflict, validation_failed */
export const savePortalSettings = (
  actor: Actor,
  { version, ...changes }: Partial<PortalRules> & { version: number },
): Promise<PortalSettings> =>
  withTenant(actor, async (db) => {
    const { version: known, ...before } = await getRules(db)
    requireVersion({ version: known }, version, 'these settings')
    const rules = { ...before, ...changes }
    if (changes.skipReason !== undefined && !(await getSkipRules(db)).some(({ code }) => code === rules.skipReason))
      throw invalid([{ path: 'skipReason', message: 'This reason is not on your list any more. Choose another one.' }])
    if (changes.serviceIds !== undefined) {
      const ids = [...new Set(changes.serviceIds)]
      if ((await listServiceIds(db, ids)).length < ids.length) throw notFound('service')
      rules.serviceIds = ids
    }
    const values = { ...rules, version: version + 1, updatedAt: clock.iso() }
    const saved = await db
      .insertInto('portalSettings')
      .values({ ...values, businessId: db.businessId })
      .onConflict((c) => c.columns(['businessId']).doUpdateSet(values).where('portalSettings.version', '=', version))
      .returning('version')
      .executeTakeFirst()
    // somebody else saved the first ones meanwhile
    if (!saved) requireVersion({ version: version + 1 }, version, 'these settings')
    await audit(db, actor, 'portal.settings', { type: 'business', id: db.businessId }, { before, after: rules })
    await publishChange(db, 'business', [db.businessId])
    return getPortalSettings(db)
  })

const tellAsker = async (
  db: TenantDb,
  request: { id: string; customerId: string; title: string },
  accepted: boolean,
  answer: string,
): Promise<void> => {
  const { name, email, language } = await db
    .selectFrom('customers')
    .select(['name', 'email', 'language'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', request.customerId)
    .executeTakeFirstOrThrow()
  const address = email ?? (await getPaperReach(db, request.customerId)).mail
  if (!address) return
  const { slug } = await getDoor(db)
  const url = absoluteUrl(paths.portal(slug))
  await queueMessage(db, {
    channel: 'email',
    purpose: 'transactional',
    address,
    dedupeKey: `portal-answer:${request.id}`,
    ...answerMail(
      { name, title: request.title, accepted, answer, url, language: language === 'es' ? 'es' : 'en' },
      await getSender(db),
    ),
    customerId: request.customerId,
    entity: { type: 'portal_request', id: request.id },
  })
}

/** Accepts or declines what a customer asked for; they hear of it. An address is changed by accepting it. @throws AppError not_found, state_conflict */
export const answerRequest = (
  actor: Actor,
  id: string,
  action: RequestAction,
  { words }: { words: string },
): Promise<PortalRequest> =>
  withTenant(actor, async (db) => {
    const row = await db
      .selectFrom('portalRequests')
      .selectAll()
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound('request')
    refuse(requestRefusals[action]({ status: row.status as RequestState }))
    if (action === 'accept' && row.kind === 'address' && row.propertyId) {
      const { version } = await db
        .selectFrom('properties')
        .select('version')
        .where('businessId', '=', db.businessId)
        .where('id', '=', row.propertyId)
        .executeTakeFirstOrThrow()
      // in the same transaction: the endpoint's work is one
      await updateProperty(actor, row.propertyId, { ...(row.fields as object), version, relocate: true })
    }
    await db
      .updateTable('portalRequests')
      .set({
        status: action === 'accept' ? 'done' : 'declined',
        answer: words,
        answeredBy: actor.userId,
        answeredAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await tellAsker(db, row, action === 'accept', words)
    await audit(
      db,
      actor,
      `portal.${action}`,
      { type: 'customer', id: row.customerId },
      { after: { title: row.title } },
    )
    await publishChange(db, 'customers', [row.customerId])
    return getRequest(db, actor, id)
  })
