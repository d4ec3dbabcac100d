import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { clock } from '../../../platform/clock.ts'
import { type ProspectsDb, withProspects } from '../../../platform/db/prospects.ts'
import { newId, randomToken } from '../../../platform/ids.ts'
import type { BodyOf } from '../../../shared/endpoint.ts'
import { invalid, notFound } from '../../../shared/errors.ts'
import { formatPhone, toE164 } from '../../../shared/phone.ts'
import { isTimeZone } from '../../../shared/timeZone.ts'
import type { Attribution, leadsApi } from '../contract.ts'
import { recordProspectConsent, suppressProspect } from '../outbox/server/commands.ts'
import { findProspectSuppression } from '../outbox/server/queries.ts'
import { checkContact, consentLine, sourceOf } from '../rules.ts'
import { auditProspects } from './audit.ts'
import { oneLine } from './one-line.ts'
import { browserToken, findToken } from './tokens.ts'

export { auditProspects }

export type LeadInput = BodyOf<typeof leadsApi.create>

const attributionOf = (input: z.output<typeof Attribution>) => ({
  utmSource: input.utm_source,
  utmMedium: input.utm_medium,
  utmCampaign: input.utm_campaign,
  utmContent: input.utm_content,
  utmTerm: input.utm_term,
  gclid: input.gclid,
  referrer: input.referrer,
  isMobile: input.isMobile,
})

const adMarks = ['utmSource', 'utmMedium', 'utmCampaign', 'utmContent', 'utmTerm', 'gclid'] as const

/** Name, address and number of a lead form, tidied. @throws validation_failed with the texts of the form */
export const checkedLead = (input: Pick<LeadInput, 'name' | 'email' | 'phone'>) => {
  const contact = { name: oneLine(input.name), email: input.email.trim().toLowerCase(), phone: oneLine(input.phone) }
  const errors: { path: string; message: string }[] = checkContact(contact)
  if (contact.name.length > 120) errors.push({ path: 'name', message: 'Please use a name of at most 120 characters' })
  if (contact.email.length > 254) errors.push({ path: 'email', message: 'Please enter a valid email address' })
  if (contact.phone.length > 40) errors.push({ path: 'phone', message: 'Please enter a valid phone number' })
  if (errors.length > 0) throw invalid(errors)
  return contact
}

const saveLead = async (db: ProspectsDb, input: LeadInput): Promise<string> => {
  const contact = checkedLead(input)
  const now = clock.iso()
  const attribution = attributionOf(input)
  const known = await db
    .selectFrom('leads')
    .selectAll()
    .where('email', '=', contact.email)
    .forUpdate()
    .executeTakeFirst()
  const phoneE164 = toE164(contact.phone)
  // as everywhere; what is none of ours stays as it was typed
  const phone = phoneE164 ? formatPhone(phoneE164) : contact.phone
  const own = { name: contact.name, phone, phoneE164, updatedAt: now }
  if (known) {
    // The first touch that says where it came from stays; a visit that says nothing is no touch.
    const keeps = adMarks.some((mark) => known[mark] !== '') || !adMarks.some((mark) => attribution[mark] !== '')
    const touch = keeps
      ? {}
      : {
          ...attribution,
          campaign: known.campaign || input.campaign || input.utm_campaign,
          source: sourceOf(known.source, { gclid: input.gclid, utmSource: input.utm_source }),
        }
    await db
      .updateTable('leads')
      .set((eb) => ({ ...own, ...touch, version: eb('version', '+', 1) }))
      .where('id', '=', known.id)
      .execute()
    if (known.name !== own.name || known.phone !== own.phone)
      await auditProspects(
        db,
        'visitor',
        'lead.changed',
        { type: 'lead', id: known.id },
        {
          before: { name: known.name, phone: known.phone },
          after: { name: own.name, phone: own.phone },
        },
      )
    return known.id
  }
  // Random instead of by time: an id that tells when it was made would tell whether an address was known.
  const id = randomUUID()
  const made = await db
    .insertInto('leads')
    .values({
      id,
      ...own,
      ...attribution,
      email: contact.email,
      source: sourceOf(input.source, { gclid: input.gclid, utmSource: input.utm_source }),
      campaign: input.campaign || input.utm_campaign,
      userAgent: input.userAgent,
      platform: input.platform,
      language: input.language,
      screenResolution: input.screenResolution,
      viewport: input.viewport,
      landingTime: input.landingTime ?? now,
      currentUrl: input.currentUrl,
      timeZone: input.timeZone && isTimeZone(input.timeZone) ? input.timeZone : null,
      visitId: input.visitId ?? null,
      createdAt: now,
    })
    .onConflict((c) => c.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  // Lost the race against the same form sent twice: then it is there now.
  return made?.id ?? saveLead(db, input)
}

/** A form that a machine filled gets the answer of any other, and leaves nothing behind. */
const pretend = () => ({ leadId: randomUUID(), token: randomToken() })

/**
 * Takes a lead form. The address decides who it is: known, its name and number are brought up to date; the answer is the same either way. The
 * returned token opens a new application of this browser, never what was written under that address before.
 * @throws validation_failed with the texts of the form
 */
export const createLead = async (
  input: LeadInput,
): Promise<{ leadId: string; token: string; applicationId: string | null }> => {
  if (input.company !== '') return { ...pretend(), applicationId: null }
  return withProspects(async (db) => {
    const leadId = await saveLead(db, input)
    const { email, phoneE164 } = await db
      .selectFrom('leads')
      .select(['email', 'phoneE164'])
      .where('id', '=', leadId)
      .executeTakeFirstOrThrow()
    const consent = { leadId, action: 'grant', source: `form ${input.source}`, wording: consentLine } as const
    await recordProspectConsent(db, { ...consent, channel: 'email', address: email })
    if (phoneE164) await recordProspectConsent(db, { ...consent, channel: 'sms', address: phoneE164 })
    if (input.visitId)
      await db
        .updateTable('pageViews')
        .set({ leadId })
        .where('visitId', '=', input.visitId)
        .where('leadId', 'is', null)
        .execute()
    const applicationId = newId()
    await db
      .insertInto('applications')
      .values({ id: applicationId, leadId, createdAt: clock.iso(), updatedAt: clock.iso() })
      .execute()
    return { leadId, applicationId, token: await browserToken(db, leadId, applicationId) }
  })
}

/** Notes that a page was looked at; with the lead of the visit when there is one already. */
export const recordPageView = async (input: BodyOf<typeof leadsApi.visit>): Promise<void> => {
  await withProspects(async (db) => {
    const before = await db
      .selectFrom('pageViews')
      .select('leadId')
      .where('visitId', '=', input.visitId)
      .where('leadId', 'is not', null)
      .limit(1)
      .executeTakeFirst()
    await db
      .insertInto('pageViews')
      .values({
        id: newId(),
        visitId: input.visitId,
        leadId: before?.leadId ?? null,
        path: input.path.split('?')[0] ?? '/',
        ...attributionOf(input),
        at: clock.iso(),
      })
      .execute()
  })
}

/** Whom an unsubscribe link belongs to. @throws not_found */
const readerOf = async (db: ProspectsDb, token: string) => {
  const target = await findToken(db, token, 'unsubscribe')
  if (!target) throw notFound('link')
  const lead = await db.selectFrom('leads').select(['id', 'email']).where('id', '=', target.leadId).executeTakeFirst()
  if (!lead) throw notFound('link')
  return lead
}

/** Who would stop getting our mail; changes nothing. */
export const findReader = (token: string): Promise<{ address: string; unsubscribed: boolean }> =>
  withProspects(async (db) => {
    const { email } = await readerOf(db, token)
    return { address: email, unsubscribed: (await findProspectSuppression(db, 'email', email)) !== null }
  })

/** Ends our offers to a lead; word about a booked call still comes. */
export const unsubscribeLead = (token: string): Promise<void> =>
  withProspects(async (db) => {
    const { id, email } = await readerOf(db, token)
    if ((await findProspectSuppression(db, 'email', email)) !== null) return
    await recordProspectConsent(db, {
      leadId: id,
      channel: 'email',
      address: email,
      action: 'revoke',
      source: 'unsubscribe link',
    })
    await suppressProspect(db, 'email', email, 'marketing', 'They unsubscribed')
  })
