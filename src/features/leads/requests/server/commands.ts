import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type BusinessId, type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { requireVersion } from '../../../../platform/db/version.ts'
import { invalid } from '../../../../shared/errors.ts'
import { toE164 } from '../../../../shared/phone.ts'
import { stateCodeOf } from '../../../../shared/places.ts'
import { clip, wireText } from '../../../../shared/wire-text.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { crossingOf } from '../../../customers/areas/rules.ts'
import { cardStopOf } from '../../../doorcards/server/queries.ts'
import { lockAddress, queueMessage, recordConsent } from '../../../messages/server/commands.ts'
import { ruleOfDay } from '../../../services/rules.ts'
import { listServiceIds } from '../../../services/server/queries.ts'
import { readCode } from '../../rules.ts'
import { receiveLeadTx } from '../../server/receive.ts'
import type { LeadSettings, leadRequestApi, leadSettingsApi } from '../contract.ts'
import {
  consentLine,
  isMachine,
  lawnBetween,
  offersLine,
  priceBetween,
  type RequestForm,
  requestProblems,
} from '../rules.ts'
import { getKept, getLeadSettings, listOffered } from './queries.ts'

/** Changes what holds for requests. @throws AppError version_conflict, validation_failed */
export const saveLeadSettings = (
  actor: Actor,
  { version, ...change }: z.output<typeof leadSettingsApi.save.body>,
): Promise<LeadSettings> =>
  withTenant(actor, async (db) => {
    const before = await getKept(db)
    requireVersion(before, version, 'these settings')
    const { version: _, ...now } = { ...before, ...change }
    if (now.areaKind === 'zips' && now.areaZips.length === 0)
      throw invalid([{ path: 'areaZips', message: 'Type at least one ZIP code, or work anywhere.' }])
    if (now.areaKind === 'drawn') {
      const message = !now.areaRing
        ? 'Draw your area first: at least three corners.'
        : crossingOf(now.areaRing)
          ? 'The line around your area crosses itself. Undo the last corners and go around it once.'
          : null
      if (message) throw invalid([{ path: 'areaRing', message }])
    }
    const serviceIds = new Set([...now.serviceIds, ...now.bookServiceIds])
    if ((await listServiceIds(db, [...serviceIds])).length !== serviceIds.size)
      throw invalid([{ path: 'serviceIds', message: 'One of these services is not there any more. Choose again.' }])
    const values = {
      ...now,
      areaRing: now.areaRing ? JSON.stringify(now.areaRing) : null,
      version: version + 1,
      updatedAt: clock.iso(),
    }
    await db
      .insertInto('leadSettings')
      .values({ businessId: db.businessId, ...values })
      .onConflict((c) => c.column('businessId').doUpdateSet(values))
      .execute()
    await audit(db, actor, 'leads.settings', { type: 'business', id: actor.businessId }, { before, after: change })
    return getLeadSettings(db)
  })

export type Request = RequestForm & {
  key: string | null
  source: 'website' | 'profile'
  sourceDetail: string
  ref: string
  point: { lat: number; lng: number } | null
  served: boolean
  lawn: z.output<typeof leadRequestApi.ask.body>['lawn']
  services: z.output<typeof leadRequestApi.ask.body>['services']
  /** False where they are answered in another way. */
  answers?: boolean
}

/** The range of all that was asked for, each once; null where the rules cannot say. */
const rangeOf = async (db: TenantDb, { lawn, services }: Pick<Request, 'lawn' | 'services'>) => {
  if (!lawn || services.length === 0) return null
  const offered = await listOffered(db)
  const today = await todayOf(db)
  const between = lawnBetween(lawn.squareFeet, lawn.way)
  const items = services.flatMap(({ id, frequency }) => {
    const service = offered.find((one) => one.id === id)
    return service
      ? [{ service, frequency, range: priceBetween(service, ruleOfDay(service, today), between, frequency) }]
      : []
  })
  return { items, between }
}

const every = { weekly: 'every week', biweekly: 'every two weeks', monthly: 'every month', once: 'once' } as const

/** Prices by the business's own rules, for a visitor of its page. */
export const priceOffer = (
  businessId: BusinessId,
  input: z.output<typeof leadRequestApi.price.body>,
): Promise<{ items: { id: string; name: string; lowCents: number | null; highCents: number | null }[] }> =>
  withTenant({ businessId }, async (db) => {
    const { squareFeet, way, services } = input
    const found = await rangeOf(db, { lawn: { squareFeet, way, ring: null }, services })
    return {
      items: (found?.items ?? []).map(({ service, range }) => ({
        id: service.id,
        name: service.name,
        lowCents: range?.lowCents ?? null,
        highCents: range?.highCents ?? null,
      })),
    }
  })

/**
 * Takes a request: a lead comes of it, or a lead that is there asks again. Out of the area it is kept apart. A word on texts is kept as it was shown, and
 * only with it an answer by text leaves. Sent twice it is one.
 * @throws AppError validation_failed in the words of the form
 */
export const takeRequest = async (businessId: BusinessId, request: Request): Promise<void> => {
  // First what is missing: who presses at once, with nothing typed yet, is no machine and is not to be thanked.
  const problems = requestProblems(request)
  if (problems.length > 0) throw invalid(problems)
  if (isMachine(request)) return
  await withTenant({ businessId }, (db) => takeRequestTx(db, request))
}

/**
 * The same in a running transaction.
 * @returns the lead, null when this very form was taken before
 */
export const takeRequestTx = async (db: TenantDb, request: Request): Promise<{ id: string } | null> => {
  const { businessId } = db
  if (request.key) {
    // The same form sent twice in one moment waits for itself.
    await lockAddress(db, 'email', `request:${request.key}`)
    const { key } = request
    const kept = (table: 'businessLeads' | 'leadRequests') =>
      db
        .selectFrom(table)
        .select('id')
        .where('businessId', '=', businessId)
        .where('requestKey', '=', key)
        .executeTakeFirst()
    if ((await kept('businessLeads')) ?? (await kept('leadRequests'))) return null
  }
  const code = readCode(request.ref)
  const sender = code
    ? await db
        .selectFrom('referralCodes')
        .select('customerId')
        .where('businessId', '=', businessId)
        .where('code', '=', code)
        .executeTakeFirst()
    : undefined
  const card = sender ? null : await cardStopOf(db, request.ref)
  const range = await rangeOf(db, request)
  const known = range?.items.flatMap(({ range: of }) => (of ? [of] : [])) ?? []
  const asked = (range?.items ?? []).map(
    ({ service, frequency, range: of }) =>
      `${service.name}, ${every[frequency]}${of === null ? ' (to be priced after a look)' : ''}`,
  )
  const phone = toE164(request.phone)
  const email = request.email.trim().toLowerCase() || null
  const { id, isNew } = await receiveLeadTx(
    db,
    {
      name: wireText(request.name.trim(), 200),
      phone,
      email,
      street: request.street.trim(),
      city: request.city.trim(),
      state: stateCodeOf(request.state) ?? '',
      zip: request.zip.trim(),
      latitude: request.point?.lat ?? null,
      longitude: request.point?.lng ?? null,
      lawnSquareFeet: request.lawn && range ? Math.round((range.between.low + range.between.high) / 2) : null,
      drawnRing: request.lawn?.ring ? JSON.stringify(request.lawn.ring) : null,
      wants: wireText([asked.join('; '), request.wants.trim()].filter(Boolean).join('\n'), 2000),
      source: sender ? 'referral' : card ? 'neighbor' : request.source,
      sourceDetail: clip(card ?? request.sourceDetail, 300),
      referredBy: sender?.customerId ?? null,
      outOfArea: !request.served,
      priceLowCents: known.length > 0 ? known.reduce((sum, { lowCents }) => sum + lowCents, 0) : null,
      priceHighCents: known.length > 0 ? known.reduce((sum, { highCents }) => sum + highCents, 0) : null,
      requestKey: request.key,
    },
    'form',
    (range?.items ?? []).map(({ service, frequency, range: of }) => ({
      serviceId: service.id,
      frequency,
      ...(of === null ? { afterLook: true } : {}),
    })),
  )
  if (!request.consent && !request.offers) return { id }
  const { name } = await db
    .selectFrom('businesses')
    .select('name')
    .where('businessId', '=', businessId)
    .executeTakeFirstOrThrow()
  const source = request.source === 'profile' ? 'business page' : 'website form'
  if (request.offers) {
    // A stranger may have typed it: what its owner has shut by STOP or by the link under a mail stays shut.
    const yes = { purpose: 'marketing', action: 'grant', source, wording: offersLine(name) } as const
    if (phone) await recordConsent(db, { ...yes, channel: 'sms', address: phone })
    if (email) await recordConsent(db, { ...yes, channel: 'email', address: email })
  }
  if (!request.consent || !phone) return { id }
  await recordConsent(db, {
    channel: 'sms',
    address: phone,
    purpose: 'transactional',
    action: 'grant',
    source,
    wording: consentLine(name),
  })
  const { replyOn, replyText } = await getKept(db)
  if (replyOn && isNew && request.served && request.answers !== false)
    await queueMessage(db, {
      channel: 'sms',
      purpose: 'transactional',
      address: phone,
      dedupeKey: `lead:${id}:reply`,
      text: replyText,
      entity: { type: 'lead', id },
      // Asked again when it would leave: who was answered by then does not get it.
      asks: true,
    })
  return { id }
}
